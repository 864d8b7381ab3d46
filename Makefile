# A target is one readable command; what needs an `if` is in Python.
python := .venv/bin/python
MAKEFLAGS += --no-print-directory
# A setting from the command line, behind its option if it has one, and in quotes: a path may hold blanks.
given = $(if $($(1)),$(2) "$($(1))")
cores = $(shell getconf _NPROCESSORS_ONLN)
# Three more than there are cores, because many tests wait: for a time limit, a browser, a killed process.
test_workers = $(shell expr $(cores) + 3)
# Each computes in one thread: more threads would only wait for each other. And each keeps what it compiled, as pytest compiles
# the tests in a way of its own: many images forbid that, and then it takes 15 s a worker each time.
pytest = OMP_NUM_THREADS=1 PYTHONDONTWRITEBYTECODE= $(python) -m pytest -q

help:       ## list the targets
	@sed -n 's/^##@ /\n/p; s/^\([a-z-]*\):.*## /make \1\t/p' Makefile | expand -t 18
	@echo; echo "What is in [ ] may be left out; docs/commands.md explains the settings."

##@ Every day

course: setup  ## a course, new or brought up to date: COURSE= [ROSTER=] [SETS=] [DUE=] [TIMEZONE=]
	@$(python) -m autograder course $(call given,COURSE) $(call given,ROSTER,--roster) $(call given,SETS,--sets) $(call given,DUE,--due) $(call given,TIMEZONE,--timezone)

collect: setup  ## put a download of Canvas, Moodle or Blackboard into a course: COURSE= ZIP= [PS=]
	@$(python) -m autograder collect $(call given,COURSE) $(call given,ZIP) $(call given,PS,--ps) --exit-zero

grade: setup  ## grade, without COURSE the demo classes: [COURSE=] [PS=] [WORKERS=] [CLUSTER=]
	@$(python) -m autograder grade $(call given,COURSE) $(call given,PS,--ps) $(call given,WORKERS,--workers) $(call given,CLUSTER,--cluster)

export: setup  ## final marks: COURSE= FORMAT=canvas|moodle|blackboard|csv|json [TEMPLATE=] [PS=]
	@$(python) -m autograder export $(call given,COURSE) $(call given,FORMAT) $(call given,TEMPLATE,--template) $(call given,PS,--ps)

return: setup  ## pages back: COURSE= FOR=canvas|moodle|blackboard|mail [TEMPLATE=] [PS=] [CHANGED=]
	@$(python) -m autograder return $(call given,COURSE) $(call given,FOR) $(call given,ZIP,--zip) $(call given,TEMPLATE,--template) $(call given,PS,--ps) $(if $(CHANGED),--changed) --exit-zero

similarity: setup  ## similar submissions and copies of the solution, for staff: [COURSE=] [PS=]
	@$(python) -m autograder similarity $(call given,COURSE) $(call given,PS,--ps)

check: setup  ## the visible checks of the work in assignments/: [PS=]
	@$(python) -m arena assignments/$(PS)

##@ Now and then in a course

setup:  ## make .venv and install what grading needs; a second time it returns at once
	@python3 scripts/install.py

rotate: setup  ## a new edition of hidden positions, proved by the banks: SEED= [COURSE=] [PS=]
	@$(python) -m autograder rotate $(call given,COURSE) $(call given,SEED,--seed) $(call given,PS,--ps) --trees

tournament: setup  ## a class's players and the ladder meet: [COURSE=] [MINUTES=] [WORKERS=]
	@$(python) -m autograder tournament $(call given,COURSE) $(call given,MINUTES,--minutes) $(call given,WORKERS,--workers)

gradescope: setup  ## a set's autograder as a zip for Gradescope: PS= [TO=] [SECRET=] [MINUTES=]
	@$(python) -m autograder gradescope $(call given,PS,--ps) $(call given,TO,--to) $(call given,SECRET,--edition-secret) $(call given,MINUTES,--minutes)

release: docs  ## what students get, into build/release: [ADDRESS=]
	@$(python) -m scripts.release $(call given,ADDRESS,--address)

##@ Play and train

play: setup  ## a board in the browser; watch the searches think: [GAME=] [PLAYER=] [MOVES=]
	@$(python) -m autograder play $(call given,GAME) $(call given,PLAYER,--player) $(call given,MOVES,--moves)

board: setup  ## the same board as one page that needs no server, into build/board: [TO=]
	@$(python) -m arena.board.offline $(call given,TO,--to)

challenge: setup  ## your own player against the ladder of bots: [PLAYER=] [RUNG=] [QUALITY=1]
	@$(python) -m autograder challenge $(call given,PLAYER) $(call given,RUNG,--rung) $(if $(QUALITY),--quality)

ladder: setup  ## all players of the lessons on one axis, yours among them: [PLAYER=] [TO=]
	@$(python) -m autograder ladder $(call given,PLAYER) $(call given,TO,--to)

notebook: setup  ## open the problem sets as a student
	@$(python) -m notebook assignments $(if $(filter 0,$(shell id -u)),--allow-root)

train: setup  ## train a network; a stopped run goes on: GAME= [MINUTES=] [NET=]
	@$(python) -m trainer train $(call given,GAME) $(call given,MINUTES,--minutes) $(call given,NET,--net)

strength: setup  ## measure a network: NET= [GAME=] [GAMES=]
	@$(python) -m trainer strength $(call given,NET) $(call given,GAME,--game) $(call given,GAMES,--games)

##@ Change a lesson or the grader

quick: setup-tests  ## the fast tests, under a minute: before each commit
	@$(pytest) -n $(cores) --dist load --speed quick

test: setup-tests  ## every behaviour once, in parallel
	@$(pytest) -n $(test_workers) --dist loadfile --no-loadscope-reorder --durations 10 -rs --speed test

test-all: test test-rest  ## all tests

test-rest: setup-tests  ## what test-all has beyond test: repetitions, and worlds of their own
	@$(pytest) -n $(test_workers) --dist loadfile --no-loadscope-reorder --durations 10 -rs --beyond test
	@$(python) -m tests.as_another_user

stale: setup  ## name the figures of docs that are older than what they measured
	@$(python) -m scripts.stale

lint: setup-tests  ## ruff, mypy, the layers, dead code
	@$(python) -m ruff check
	@$(python) -m mypy
	@.venv/bin/lint-imports --no-logo
	@$(python) -m vulture

build: setup  ## build assignments/ from solutions/
	@$(python) -m autograder build

verify: setup  ## solutions earn all, wrong answers are caught: [PS=] [EXERCISE=] [EDITIONS=]
	@$(python) -m autograder verify $(call given,PS,--ps) $(call given,EXERCISE,--exercise) $(call given,EDITIONS,--editions)

mutants: setup  ## mistakes that no check sees: [PS=] [EXERCISE=] [SAMPLE=] [SEED=] [EDITIONS=]
	@$(python) -m autograder mutants $(call given,PS,--ps) $(call given,EXERCISE,--exercise) $(call given,SAMPLE,--sample) $(call given,SEED,--seed) $(call given,EDITIONS,--editions)

width: setup  ## branches and inputs that no hidden check runs: [PS=] [EXERCISE=]
	@$(python) -m autograder width $(call given,PS,--ps) $(call given,EXERCISE,--exercise)

attack: setup  ## let the bank of attacks loose on a class: [NAME=]
	@$(python) -m autograder attack $(call given,NAME)

broken: setup  ## grade a class of honest mess: [NAME=]
	@$(python) -m autograder broken $(call given,NAME)

bench: setup-tests  ## measure ourselves against others, into build/bench.json: [ONLY=]
	@$(python) -m bench $(call given,ONLY)

docs: setup-tests  ## the documentation as a site: build/docs/index.html
	@$(python) -m docs.site

lite: setup  ## the problem sets in a browser's tab, into build/lite/site: [PUBLISHED=]
	@$(python) -m scripts.lite $(if $(PUBLISHED),--published)

site: docs board  ## documentation, classes, tab and board as one site: [ADDRESS=] [PUBLISHED=]
	@$(python) -m scripts.site $(call given,ADDRESS,--address) $(if $(PUBLISHED),--published)

figures: setup-tests  ## draw the pictures of README and docs again, from real runs
	@$(python) -m scripts.figures
	@$(python) -m scripts.ways
	@$(python) -m scripts.layers
	@$(python) -m scripts.slides

setup-tests:  ## as setup, and what tests, tools and documentation need
	@python3 scripts/install.py tests

clean:  ## remove build/ (the demo class too) and the caches; .venv stays
	@rm -rf build .pytest_cache .ruff_cache .hypothesis

.PHONY: attack board width broken rotate collect course challenge ladder docs export gradescope release return play tournament help setup setup-tests train strength stale grade check quick test test-rest test-all verify mutants build bench lint lite site notebook figures similarity clean
