module sluice/bench/wire

go 1.22
