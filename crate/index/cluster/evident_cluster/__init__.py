"""Does on a Ray cluster what `evident index build` and `evident eval` do on one machine, and writes the same bytes."""
