"""What the code of all pairs can use: clocks, pages of large files, numbers that grow."""

COMMON = '''
import ctypes, fcntl, mmap, os, resource, signal, socket, time
LIBC = ctypes.CDLL(None, use_errno=True)
LIBC.mmap.restype = ctypes.c_void_p
(FUTEX, KEYCTL, ADD_KEY, MINCORE) = {"x86_64": (202, 250, 248, 27), "aarch64": (98, 219, 217, 232)}[os.uname().machine]
INSIDE = os.path.exists("/opt/worker/worker.py")
FILE = "/opt/worker/worker.py" if INSIDE else OUTSIDE + "/file"
ROOM = [path for path in (("/opt", "/dev", "/dev/shm", "/tmp", "/") if INSIDE else (OUTSIDE,)) if os.path.isdir(path)]
PAGE, STRIDE = 4096, 256 * 1024  # reading one page of a file on a disk also reads some pages after it


def until(moment):
    while (rest := moment - time.monotonic()) > 0:
        time.sleep(min(rest, 0.002))


def pages(many):
    """Places in the largest files that both sides see, each so far from the next that it is read alone."""
    tops = ("/usr/lib", "/opt") if INSIDE else (OUTSIDE,)
    files = []
    for top in tops:
        for folder, _, names in os.walk(top):
            files += [(os.path.getsize(path), path) for path in (folder + "/" + name for name in names) if os.path.isfile(path)]
    spots = []
    for size, path in sorted(files, reverse=True):
        spots += [(path, place) for place in range(STRIDE, size - PAGE, STRIDE)]
        if len(spots) >= many:
            return spots[:many]
    raise OSError("too few pages")


def leave_pages(bits):
    for (path, place), bit in zip(pages(len(bits)), bits):
        if bit:
            descriptor = os.open(path, os.O_RDONLY)
            os.pread(descriptor, 1, place)
            os.close(descriptor)


def ask_pages(many, ask):
    answers = []
    for path, place in pages(many):
        descriptor = os.open(path, os.O_RDONLY)
        answers.append(ask(descriptor, place))
        os.close(descriptor)
    return answers


def touched(descriptor, place):
    with mmap.mmap(descriptor, PAGE, flags=mmap.MAP_PRIVATE, prot=mmap.PROT_READ, offset=place) as page:
        page.madvise(mmap.MADV_RANDOM)  # else the kernel also reads what lies around
        return page[0]


def difference(measure, what, *arguments):
    before = measure()
    what(*arguments)
    return measure() - before


_last = [0]


def change(number):
    """How much a number has grown since the last look."""
    before, _last[0] = _last[0], number
    return number - before


def made(change):
    """Try a change in each place where files could be made."""
    problem = None
    for folder in ROOM:
        try:
            return change(folder)
        except OSError as error:
            problem = error
    raise problem
'''
