"""The notebooks run to their end."""

from pathlib import Path

import pytest

nbformat = pytest.importorskip("nbformat")
nbclient = pytest.importorskip("nbclient")
pytest.importorskip("ipykernel")

NOTEBOOKS = sorted((Path(__file__).parents[1] / "notebooks").glob("*.ipynb"))


@pytest.mark.parametrize("file", NOTEBOOKS, ids=lambda file: file.stem)
def test_notebook(file: Path, tmp_path: Path) -> None:
    notebook = nbformat.read(file, as_version=4)
    nbclient.NotebookClient(notebook, timeout=300, resources={"metadata": {"path": str(tmp_path)}}).execute()
    cells = [cell for cell in notebook.cells if cell.cell_type == "code"]
    assert len(cells) > 5 and all(cell.execution_count for cell in cells)
    outputs = [output for cell in cells for output in cell.outputs]
    assert any("text/html" in output.get("data", {}) for output in outputs), "a table was shown"
    assert any("image/svg+xml" in output.get("data", {}) for output in outputs), "a board was shown"
