# Writes a copy of a list of methods, solvers, blocks or looks with one more entry: cmake -D FROM=… -D TO=… -P add_lines.cmake
# An entry is an #include and a row. Fails where the row that it is to stand behind is gone.
cmake_minimum_required(VERSION 3.25)
file(READ ${FROM} text)

# Puts `line` behind `anchor`, which must stand in the text once.
function(put line anchor)
  string(FIND "${text}" "${anchor}" first)
  string(FIND "${text}" "${anchor}" last REVERSE)
  if(first EQUAL -1 OR NOT first EQUAL last)
    message(FATAL_ERROR "${FROM}: a method cannot be added behind this, which does not stand there once:\n${anchor}")
  endif()
  string(REPLACE "${anchor}" "${anchor}${line}" text "${text}")
  set(text "${text}" PARENT_SCOPE)
endfunction()

if(FROM MATCHES "interface/methods/all.cpp$")
  put("#include \"tests/added_method/flight.h\"\n" "#include \"reference/interface/methods/mpm.h\"\n")
  put("    &flight::table,\n" "constexpr const Method* methods[] = {\n")
elseif(FROM MATCHES "validation/solvers.cpp$")
  put("#include \"tests/added_method/solvers.h\"\n" "#include \"reference/mpm/reference_solver.h\"\n")
  put("      {{.name = \"flight_fast\", .methods = {\"flight\"}, .precisions = {Precision::single_, Precision::double_}},
       flight::make_fast, flight::footprint},
      {{.name = \"flight_readable\", .methods = {\"flight\"}, .precisions = {Precision::double_}, .serial = true,
        .keeps_sums = true},
       flight::make_readable, flight::footprint},\n" "  static const std::vector<Entry> all{\n")
elseif(FROM MATCHES "validation/methods.cpp$")
  put("#include \"tests/added_method/judging.h\"\n" "#include \"validation/faults/mpm/faults.h\"\n")
  put("      {\"flight\", flight::judge(), flight::cases(), flight::model()},\n"
      "       metrics::phase_sums_of_mpm},\n")
elseif(FROM MATCHES "bench/blocks.cpp$")
  put("#include \"tests/added_method/shown.h\"\n" "#include \"experiments/bench/mpm/block.h\"\n")
  put("      flight::block(),\n" "  static const std::vector<MethodBlock> all{\n")
elseif(FROM MATCHES "picture/looks.cpp$")
  put("#include \"tests/added_method/shown.h\"\n" "#include \"experiments/picture/mpm/look.h\"\n")
  put("      flight::look(),\n" "  static const std::vector<Look> all{\n")
else()
  message(FATAL_ERROR "${FROM}: no such list")
endif()
file(WRITE ${TO} "${text}")
