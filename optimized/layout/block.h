#pragma once

#include <cstddef>
#include <cstdint>

namespace repose::optimized {

/// Geometry of blocks and tiles. A particle's place in the grid is its *base*: the first node of its stencil, counted
/// from the grid's first node, margin included (≥ 0). Blocks are cubes of `edge` bases per axis. The stencils of a
/// block's particles cover a tile of edge + 3 nodes per axis (2 for the quadratic kernel; the tile is the same).
/// A node record is four numbers (m, p_x, p_y, p_z) or (·, v_x, v_y, v_z), so that a row of four nodes along the last
/// axis is 16 consecutive numbers.
template <int dim>
struct Block {
  static constexpr int log_edge = dim == 3 ? 2 : 3;
  static constexpr int edge = 1 << log_edge;
  static constexpr std::size_t nodes = std::size_t{1}
                                       << (dim * log_edge);  ///< of a node block, and cells of a block
  static constexpr int reach = 3;
  static constexpr int tile_edge = edge + reach;
  /// Nodes per row of a tile, padded: a row read from any base stays inside
  static constexpr int tile_row = edge + 4;
  static constexpr std::size_t row_values = std::size_t{4} * tile_row;
  static constexpr std::size_t tile_rows = dim == 3 ? tile_edge * tile_edge : tile_edge;
  static constexpr std::size_t tile_values = tile_rows * row_values;
  static constexpr std::size_t node_values = 4 * nodes;
  static constexpr std::size_t neighbours = std::size_t{1} << dim;

  /// Place of a base inside its block: last axis fastest.
  static constexpr unsigned code(const std::int32_t* base) {
    unsigned c = 0;
    for (int a = 0; a < dim; ++a) c = (c << log_edge) | (static_cast<unsigned>(base[a]) & (edge - 1));
    return c;
  }
  static constexpr int local(unsigned code, int axis) {
    return static_cast<int>((code >> (log_edge * (dim - 1 - axis))) & (edge - 1));
  }
  /// First number of the tile row that starts at the base.
  static constexpr std::size_t tile_offset(unsigned code) {
    std::size_t row = static_cast<std::size_t>(local(code, 0));
    if constexpr (dim == 3) row = row * tile_edge + static_cast<std::size_t>(local(code, 1));
    return row * row_values + 4 * static_cast<std::size_t>(local(code, dim - 1));
  }
};

inline constexpr std::uint8_t gone = 0xff;  ///< code of an entry whose particle has left the cell

}  // namespace repose::optimized
