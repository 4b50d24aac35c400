"""Builds an index of a large corpus on a Ray cluster, byte for byte what `evident index build` makes on one machine."""
