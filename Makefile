# A target is one readable command; what needs an `if` is in Python.
python := .venv/bin/python
MAKEFLAGS += --no-print-directory
# One more than there are cores, because many tests wait: for a time limit, a browser, a killed process.
test_workers = $(shell expr $$(getconf _NPROCESSORS_ONLN) + 1)

help:       ## list the targets
	@sed -n 's/^\([a-z-]*\):.*## /make \1\t/p' Makefile | expand -t 16

setup:      ## make .venv and install what grading needs; a second time it returns at once
	@python3 scripts/setup_house.py

setup-tests:  ## the same, and what tests, tools and documentation need: a browser, linters
	@python3 scripts/setup_house.py tests

grade: setup      ## grade: [COURSE=folder] [PS=ps2_uct] [WORKERS=n] [CLUSTER=tcp://host:8786]; without COURSE the demo classes of 30
	@$(python) -m autograder grade $(COURSE) $(PS:%=--ps %) $(WORKERS:%=--workers %) $(CLUSTER:%=--cluster %)

check: setup      ## for students: the visible checks of your own work in assignments/: [PS=ps2_uct]
	@$(python) -m arena assignments/$(PS)

test: setup-tests      ## the project's own tests, all of them, in parallel
	@$(python) -m pytest -q -n $(test_workers) --dist loadfile --no-loadscope-reorder --durations 20

verify: setup      ## solutions earn everything, stubs nothing, every wrong answer is caught, every right one passes: [PS=ps2_uct] [EXERCISE=2.5] [EDITIONS=20]
	@$(python) -m autograder verify $(PS:%=--ps %) $(EXERCISE:%=--exercise %) $(EDITIONS:%=--editions %)

attack: setup      ## let the bank of attacks loose on a class, and see that nothing comes of it: [NAME=values]
	@$(python) -m autograder attack $(NAME)

broken: setup      ## grade a class of honest mess, and see that each hand-in gets what is written down: [NAME=cells]
	@$(python) -m autograder broken $(NAME)

mutants: setup      ## small mistakes in our solutions that no hidden check sees: [PS=ps2_uct] [EXERCISE=2.5] [SAMPLE=n] [SEED=0] [EDITIONS=3]
	@$(python) -m autograder mutants $(PS:%=--ps %) $(EXERCISE:%=--exercise %) $(SAMPLE:%=--sample %) $(SEED:%=--seed %) $(EDITIONS:%=--editions %)

build: setup      ## build assignments/ from solutions/
	@$(python) -m autograder build

challenge: setup      ## your own player against the ladder of bots: [PLAYER=path] [RUNG=Pebble]
	@$(python) -m autograder challenge $(PLAYER) $(RUNG:%=--rung %)

play: setup      ## a board in the browser; watch the searches think: [GAME=connect_four] [PLAYER=your ps3 or ps5] [MOVES=4435]
	@$(python) -m autograder play $(GAME) $(PLAYER:%=--player %) $(MOVES:%=--moves %)

train: setup      ## train a network: GAME=connect_four [MINUTES=30] [NET=your ps5_alphazero.py]; a stopped run goes on
	@$(python) -m trainer train $(GAME) $(MINUTES:%=--minutes %) $(NET:%=--net %)

strength: setup      ## measure a network: NET=build/train/connect_four/net.npz [GAME=connect_four]
	@$(python) -m trainer strength $(NET) $(GAME:%=--game %)

tournament: setup      ## all players of a class and the ladder against each other: [COURSE=folder] [MINUTES=n] [WORKERS=n]
	@$(python) -m autograder tournament $(COURSE) $(MINUTES:%=--minutes %) $(WORKERS:%=--workers %)

similarity: setup      ## for staff: submissions that share more than the set explains: [COURSE=folder] [PS=ps2_uct]
	@$(python) -m autograder similarity $(COURSE) $(PS:%=--ps %)

bench: setup-tests      ## measure ourselves against others: [ONLY=name]; writes build/bench.json
	@$(python) -m bench $(ONLY)

lint: setup-tests      ## what reads the code: ruff, mypy, the floors of the house, dead code
	@$(python) -m ruff check
	@$(python) -m mypy
	@.venv/bin/lint-imports --no-logo
	@$(python) -m vulture

notebook: setup      ## open the problem sets as a student
	@$(python) -m notebook assignments

docs: setup-tests      ## build the documentation as a site that opens from a folder: build/docs/index.html
	@$(python) -m docs.site

figures: setup      ## draw the pictures of README and maintainers.md again, from real runs
	@$(python) -m scripts.figures
	@$(python) -m scripts.ways

clean:      ## remove build/ (the demo class too) and the caches; .venv stays
	@rm -rf build .pytest_cache .ruff_cache .hypothesis

.PHONY: attack broken challenge docs play tournament help setup setup-tests train strength grade check test verify mutants build bench lint notebook figures similarity clean
