# A target is one readable command; what needs an `if` is in Python.
python := .venv/bin/python
MAKEFLAGS += --no-print-directory
# A setting from the command line, behind its option if it has one, and in quotes: a path may hold blanks.
given = $(if $($(1)),$(2) "$($(1))")
cores = $(shell getconf _NPROCESSORS_ONLN)
# Two more than there are cores, because many tests wait: for a time limit, a browser, a killed process.
test_workers = $(shell expr $(cores) + 2)
# Each computes in one thread: more threads would only wait for each other. And each keeps what it compiled, as pytest compiles
# the tests in a way of its own: many images forbid that, and then it takes 15 s a worker each time.
pytest = OMP_NUM_THREADS=1 PYTHONDONTWRITEBYTECODE= $(python) -m pytest -q

help:       ## list the targets
	@sed -n 's/^\([a-z-]*\):.*## /make \1\t/p' Makefile | expand -t 16

setup:      ## make .venv and install what grading needs; a second time it returns at once
	@python3 scripts/setup_house.py

setup-tests:  ## the same, and what tests, tools and documentation need: a browser, linters
	@python3 scripts/setup_house.py tests

course: setup      ## a new course, or one to bring up to date: COURSE=folder [ROSTER=people.csv] [SETS=ps1_games,ps2_uct] [DUE="2026-10-05 23:59"] [TIMEZONE=Europe/Zurich]
	@$(python) -m autograder course $(call given,COURSE) $(call given,ROSTER,--roster) $(call given,SETS,--sets) $(call given,DUE,--due) $(call given,TIMEZONE,--timezone)

grade: setup      ## grade: [COURSE=folder] [PS=ps2_uct] [WORKERS=n] [CLUSTER=tcp://host:8786]; without PS every set handed in, without COURSE the demo classes of 30
	@$(python) -m autograder grade $(call given,COURSE) $(call given,PS,--ps) $(call given,WORKERS,--workers) $(call given,CLUSTER,--cluster)

collect: setup      ## put a download of Canvas, Moodle or Blackboard into a course: COURSE=folder ZIP=download.zip [PS=ps2_uct]
	@$(python) -m autograder collect $(call given,COURSE) $(call given,ZIP) $(call given,PS,--ps)

export: setup      ## the final marks for another system: COURSE=folder FORMAT=canvas|moodle|csv|json [TEMPLATE=the platform's own download] [PS=ps2_uct]
	@$(python) -m autograder export $(call given,COURSE) $(call given,FORMAT) $(call given,TEMPLATE,--template) $(call given,PS,--ps)

gradescope: setup      ## the autograder of one set as a zip for Gradescope: [PS=ps2_uct] [TO=build/gradescope/ps2_uct.zip] [SECRET=file or course folder] [MINUTES=10]
	@$(python) -m autograder gradescope $(call given,PS,--ps) $(call given,TO,--to) $(call given,SECRET,--edition-secret) $(call given,MINUTES,--minutes)

check: setup      ## for students: the visible checks of your own work in assignments/: [PS=ps2_uct]
	@$(python) -m arena assignments/$(PS)

quick: setup-tests      ## tests without sandbox, nbgrader, processes and browser, under a minute: before each commit
	@$(pytest) -n $(cores) --dist load --speed quick

test: setup-tests      ## every behaviour once, in parallel
	@$(pytest) -n $(test_workers) --dist loadfile --no-loadscope-reorder --durations 10 -rs --speed test

test-rest: setup-tests      ## what test-all has beyond test: repetitions, and worlds of their own (another user, a hub, a cluster)
	@$(pytest) -n $(test_workers) --dist loadfile --no-loadscope-reorder --durations 10 -rs --beyond test
	@$(python) -m tests.as_another_user

test-all: test test-rest  ## all tests

verify: setup      ## solutions earn everything, stubs nothing, every wrong answer is caught, every right one passes: [PS=ps2_uct] [EXERCISE=2.5] [EDITIONS=20]
	@$(python) -m autograder verify $(call given,PS,--ps) $(call given,EXERCISE,--exercise) $(call given,EDITIONS,--editions)

rotate: setup      ## a new edition of hidden positions and seeds, proved by the banks first: SEED=2027 [COURSE=folder] [PS=ps2_uct]
	@$(python) -m autograder rotate $(call given,COURSE) $(call given,SEED,--seed) $(call given,PS,--ps) --trees

attack: setup      ## let the bank of attacks loose on a class, and see that nothing comes of it: [NAME=values]
	@$(python) -m autograder attack $(call given,NAME)

broken: setup      ## grade a class of honest mess, and see that each hand-in gets what is written down: [NAME=cells]
	@$(python) -m autograder broken $(call given,NAME)

mutants: setup      ## small mistakes in our solutions that no hidden check sees: [PS=ps2_uct] [EXERCISE=2.5] [SAMPLE=n] [SEED=0] [EDITIONS=3]
	@$(python) -m autograder mutants $(call given,PS,--ps) $(call given,EXERCISE,--exercise) $(call given,SAMPLE,--sample) $(call given,SEED,--seed) $(call given,EDITIONS,--editions)

build: setup      ## build assignments/ from solutions/
	@$(python) -m autograder build

challenge: setup      ## your own player against the ladder of bots: [PLAYER=path] [RUNG=Pebble] [QUALITY=1]
	@$(python) -m autograder challenge $(call given,PLAYER) $(call given,RUNG,--rung) $(if $(QUALITY),--quality)

ladder: setup      ## all players of the lessons on one axis, and your own among them: [PLAYER=your ps2, ps3 or ps5] [TO=build/ladder.svg]
	@$(python) -m autograder ladder $(call given,PLAYER) $(call given,TO,--to)

play: setup      ## a board in the browser; watch the searches think: [GAME=connect_four] [PLAYER=your ps3 or ps5] [MOVES=4435]
	@$(python) -m autograder play $(call given,GAME) $(call given,PLAYER,--player) $(call given,MOVES,--moves)

train: setup      ## train a network: GAME=connect_four [MINUTES=30] [NET=your ps5_alphazero.py]; a stopped run goes on
	@$(python) -m trainer train $(call given,GAME) $(call given,MINUTES,--minutes) $(call given,NET,--net)

strength: setup      ## measure a network: NET=build/train/connect_four/net.npz [GAME=connect_four]
	@$(python) -m trainer strength $(call given,NET) $(call given,GAME,--game)

tournament: setup      ## all players of a class and the ladder against each other: [COURSE=folder] [MINUTES=n] [WORKERS=n]
	@$(python) -m autograder tournament $(call given,COURSE) $(call given,MINUTES,--minutes) $(call given,WORKERS,--workers)

similarity: setup      ## for staff: submissions that share more than the set explains: [COURSE=folder] [PS=ps2_uct]
	@$(python) -m autograder similarity $(call given,COURSE) $(call given,PS,--ps)

bench: setup-tests      ## measure ourselves against others: [ONLY=name]; writes build/bench.json
	@$(python) -m bench $(call given,ONLY)

lint: setup-tests      ## what reads the code: ruff, mypy, the floors of the house, dead code
	@$(python) -m ruff check
	@$(python) -m mypy
	@.venv/bin/lint-imports --no-logo
	@$(python) -m vulture

notebook: setup      ## open the problem sets as a student
	@$(python) -m notebook assignments $(if $(filter 0,$(shell id -u)),--allow-root)

docs: setup-tests      ## build the documentation as a site that opens from a folder: build/docs/index.html
	@$(python) -m docs.site

release: docs      ## what students get, in build/release: their repository, the wheel, zips, the site: [ADDRESS=url]
	@$(python) -m scripts.release $(call given,ADDRESS,--address)

figures: setup      ## draw the pictures of README, maintainers.md and docs/teaching again, from real runs
	@$(python) -m scripts.moving_picture
	@$(python) -m scripts.figures
	@$(python) -m scripts.ways
	@$(python) -m scripts.slides

container: setup      ## the Dockerfile's steps without Docker, in a clean Debian, and a class graded in it; as root, with debootstrap
	@$(python) -m scripts.container

clean:      ## remove build/ (the demo class too) and the caches; .venv stays
	@rm -rf build .pytest_cache .ruff_cache .hypothesis

.PHONY: attack broken rotate collect container course challenge ladder docs export gradescope release play tournament help setup setup-tests train strength grade check quick test test-rest test-all verify mutants build bench lint notebook figures similarity clean
