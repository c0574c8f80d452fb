"""States as VTK's own reader, and h5py, see them. Needs python3-vtk9 and python3-h5py."""

import csv
import tomllib

import h5py
import numpy
import program
from program import ProgramTest
from vtkmodules.util.numpy_support import vtk_to_numpy
from vtkmodules.vtkIOHDF import vtkHDFReader


class Vtk(ProgramTest):
    def read(self, file):
        reader = vtkHDFReader()
        reader.SetFileName(str(file))
        self.assertEqual(reader.CanReadFile(str(file)), 1)
        reader.Update()
        return reader.GetOutput()

    def states_open(self, text, dim):
        self.run_program("run", self.scene(text), "--solver", "reference", "--out", "out", "--frames", 2)
        folder = self.folder / "out/states"
        start, later = self.read(folder / "state_0000.hdf"), self.read(folder / "state_0002.hdf")
        n = start.GetNumberOfPoints()
        self.assertGreater(n, 100)
        self.assertEqual(n, later.GetNumberOfPoints())
        self.assertEqual(n, later.GetNumberOfCells())

        x = vtk_to_numpy(later.GetPoints().GetData())
        self.assertEqual(x.shape, (n, 3))
        seed = tomllib.loads(text)["seed"][0]
        x0 = vtk_to_numpy(start.GetPoints().GetData())[:, :dim]
        self.assertTrue((x0 >= seed["min"]).all() and (x0 <= seed["max"]).all())
        if dim == 2:
            self.assertTrue((x[:, 2] == 0).all())

        data = later.GetPointData()
        arrays = {data.GetArrayName(i): vtk_to_numpy(data.GetArray(i)) for i in range(data.GetNumberOfArrays())}
        shapes = {"mass": (n,), "volume": (n,), "material": (n,), "J": (n,), "q": (n,), "v_c": (n,), "v": (n, 3),
                  "C": (n, dim * dim), "F": (n, dim * dim)}
        for name, shape in shapes.items():
            self.assertEqual(arrays[name].shape, shape, name)
        # By other numbers of the run: the fastest particle, and that a start state is undeformed.
        with open(self.folder / "out/steps.csv", newline="") as table:
            rows = list(csv.DictReader(table))
        v0 = vtk_to_numpy(start.GetPointData().GetArray("v"))
        self.assertAlmostEqual(numpy.linalg.norm(v0, axis=1).max(), float(rows[0]["max_speed_m_per_s"]), places=12)
        self.assertTrue((vtk_to_numpy(start.GetPointData().GetArray("F")) == numpy.eye(dim).ravel()).all())
        self.assertGreater(abs(arrays["F"] - numpy.eye(dim).ravel()).max(), 0)

        field = later.GetFieldData()
        self.assertEqual(vtk_to_numpy(field.GetArray("time_s"))[0], 2 / 256)
        self.assertEqual(vtk_to_numpy(field.GetArray("frame"))[0], 2)

        with h5py.File(folder / "state_0002.hdf") as file:
            self.assertTrue((file["VTKHDF/Points"][:] == x).all())
            self.assertEqual(file["VTKHDF/PointData/v"].attrs["unit"], b"m/s")
            self.assertEqual(file["repose"].attrs["boundary"], b"step_start")
            self.assertEqual(file["repose/materials/000"].attrs["density"], 1600)
            self.assertIn("Small", tomllib.loads(file["repose/scene"][()].decode())["title"])

    def test_states_open_in_2d(self):
        self.states_open(program.SCENE_2D, 2)

    def test_states_open_in_3d(self):
        self.states_open(program.SCENE_3D, 3)


if __name__ == "__main__":
    program.main()
