# SPDX-License-Identifier: Apache-2.0
"""Results as dicts and lists of dicts, and as data frames of pandas where that is installed."""

from ._library import Error


class Table(list):
    """Rows, each a dict; a plain list in every other respect."""

    def frame(self):
        """The same as a pandas.DataFrame. What a row has in a dict of its own is named with a dot:
        row["l1d"]["hits"] is the column "l1d.hits"."""
        try:
            import pandas  # pylint: disable=import-outside-toplevel
        except ImportError:
            raise Error("a data frame needs pandas, which is not installed; legal: "
                        "apt-get install python3-pandas, or the rows as they are, a list of dicts") from None
        return pandas.json_normalize(list(self))


class Result(dict):
    """What `mrpb run --json` writes, a dict. Its lists of dicts are Tables: "kernels", and if they
    were asked for "intervals", "by_pc" and "by_buffer". `report` is what the run has printed: the
    report for people, and what the kernels print."""

    def __init__(self, counts, report=""):
        super().__init__(counts)
        self.report = report
        for name, value in self.items():
            if isinstance(value, list) and all(isinstance(row, dict) for row in value):
                self[name] = Table(value)

    def frame(self, name):
        """One of its tables as a pandas.DataFrame: frame("by_pc")."""
        tables = [n for n, value in self.items() if isinstance(value, Table)]
        if name not in tables:
            raise Error(f"{name}: no table of this run; legal: {', '.join(tables)}")
        return self[name].frame()
