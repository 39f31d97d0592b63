/*
 * The lease protocol, as Spin checks it: claim, beat, lapse, expire, settle, give back, cancel, crash, zombie.
 *
 * What is modelled. A leased table has RUNS rows. Every statement of ours locks the rows it changes and looks at them
 * again under that lock, so it is one atomic step here. Between two statements anything may happen, for as long as it
 * likes: a holder that is merely slow is a zombie. Two of the WORKERS have one name, as two slots of one process have,
 * or a worker that was restarted. Time is a lease that lapses whenever it wants to.
 *
 *   pending ──claim──▶ leased ──settle──▶ succeeded | failed
 *      ▲                 │ │
 *      └──retry, expire──┘ └──expire with no attempt left──▶ failed
 *      └───give back─────┘       cancel, from either ──▶ cancelled
 *
 * What is promised, in every interleaving:
 *   - only the holder of the newest claim changes a run, or writes anything through it (`newest`);
 *   - a run ends once;
 *   - no more attempts than allowed begin, and a run whose every worker crashes ends all the same;
 *   - no run is forgotten: nothing stands still before every run has ended (Spin's check of end states).
 *
 * What it does not model: the order of claims, lanes, several rows in one statement, the network. An answer that got
 * lost is a second settle of the same outcome.
 *
 * Each of the following, defined, breaks the protocol the way it must not be built; the test wants a trace for each:
 *   NO_EPOCH     a holder proves itself by its name
 *   LATE_EPOCH   the claim bumps the epoch in a second statement
 *   NO_FENCE     settling asks for no proof
 *   REVIVE       a heartbeat extends, and thereby leases, whatever it finds under the run's id
 *   LATE_ATTEMPT an attempt is counted when it ends, not when it begins
 *
 * The code: leases/heart.py and the functions claim_lane, claim_runs, heartbeat_runs, settle_runs, tend_runs, cancel_run.
 */

#ifndef WORKERS
#define WORKERS 3
#endif
#ifndef RUNS
#define RUNS 2
#endif
#define MAX_ATTEMPTS 2
#define MAX_STOPS 1   /* each gives back an attempt, so without a bound a run could go on for ever */
#define MAX_CLAIMS (MAX_ATTEMPTS + MAX_STOPS)
#define NAME(worker) (worker / 2)
#define NOBODY 255

mtype = { pending, leased, succeeded, failed, cancelled }

typedef Row {
  mtype status = pending;
  byte epoch;
  byte attempt;
  byte leased_by = NOBODY;
  bool lapsed;
};

Row row[RUNS];

byte stops;

/* What only the checker knows: whose claim of a run is the newest. */
byte newest[RUNS];

#define finished(r) (row[r].status == succeeded || row[r].status == failed || row[r].status == cancelled)

#if defined(NO_EPOCH)
#define holds(r) (row[r].status == leased && row[r].leased_by == NAME(me))
#elif defined(NO_FENCE)
#define holds(r) (!finished(r))
#else
#define holds(r) (row[r].status == leased && row[r].epoch == epoch)
#endif

#ifdef REVIVE
#define may_beat(r) (!finished(r))
#else
#define may_beat(r) holds(r)
#endif

/* The lease ends, one way or another. */
inline release(r, next) {
  row[r].status = next;
  row[r].leased_by = NOBODY;
  row[r].lapsed = false;
}

inline end(r, next) {
  assert(!finished(r));
  release(r, next)
}

inline claim(r) {
  atomic {
    row[r].status == pending ->
    row[r].status = leased;
    row[r].leased_by = NAME(me);
    row[r].lapsed = false;
#ifndef LATE_ATTEMPT
    row[r].attempt++;
#endif
    newest[r] = me;
    held = r;
#ifdef LATE_EPOCH
  }
  atomic {
#endif
    row[r].epoch++;
    epoch = row[r].epoch;
    assert(epoch <= MAX_CLAIMS && row[r].attempt <= MAX_ATTEMPTS)
  }
}

/* Whatever the database takes from a holder, it must take from the newest one only. */
#define TAKEN(r) assert(newest[r] == me)

/* An attempt that ends: well, or to be tried again while there are attempts left. */
inline settle() {
  if
  :: !holds(held) -> skip /* LeaseLost */
  :: else ->
     TAKEN(held);
#ifdef LATE_ATTEMPT
     row[held].attempt++;
#endif
     if
     :: end(held, succeeded)
     :: row[held].attempt < MAX_ATTEMPTS -> release(held, pending)
     :: row[held].attempt >= MAX_ATTEMPTS -> end(held, failed)
     fi
  fi
}

inline give_back() {
  if
  :: !holds(held) -> skip
  :: else ->
     TAKEN(held);
#ifndef LATE_ATTEMPT
     row[held].attempt--;
#endif
     release(held, pending)
  fi
}

inline forget() {
  held = NOBODY;
  epoch = 0;
  beaten = false
}

proctype Worker(byte me) {
  byte held = NOBODY;  /* the run */
  byte epoch;          /* the proof */
  bool beaten;         /* once an attempt: a second beat finds what the first one can find */

end_idle:
  if
  :: claim(0)
#if RUNS > 1
  :: claim(1)
#endif
#if RUNS > 2
  :: claim(2)
#endif
  fi;

executing:
  if
  :: atomic { may_beat(held) && !beaten ->  /* the heart beats, from a thread of its own */
       TAKEN(held);
       beaten = true;
#ifdef REVIVE
       row[held].status = leased;
#endif
       row[held].lapsed = false;
       goto executing
     }
  :: atomic { !may_beat(held) -> forget(); goto end_idle }  /* the heart heard that it is lost: the handler is cancelled */
  :: atomic { holds(held) -> TAKEN(held); goto executing }  /* a write through the run, in the handler's transaction */
  :: atomic { true -> settle(); forget(); goto end_idle }
  :: atomic { true -> settle() };           /* the answer got lost, and it is sent again */
     atomic { settle(); forget(); goto end_idle }
  :: atomic { true -> forget(); goto end_idle }             /* crash: the database hears nothing of it */
  :: atomic { stops < MAX_STOPS -> stops++; give_back(); forget(); goto end_idle }  /* a graceful stop */
  fi
}

/* Time, and the janitor who takes back what has lapsed. */
inline expire(r) {
  if
  :: row[r].attempt < MAX_ATTEMPTS -> release(r, pending)
  :: else -> end(r, failed)
  fi
}

inline tend(r) {
  if
  :: atomic { row[r].status == leased && !row[r].lapsed -> row[r].lapsed = true }
  :: atomic { row[r].status == leased && row[r].lapsed -> expire(r) }
  fi
}

proctype Janitor() {
end_waiting:
  do
  :: tend(0)
#if RUNS > 1
  :: tend(1)
#endif
#if RUNS > 2
  :: tend(2)
#endif
  od
}

/* Somebody who cancels a run, at any moment, or does not. */
proctype Operator() {
  if
  :: atomic { !finished(0) -> end(0, cancelled) }
  :: skip
  fi
}

/* When nobody can do anything any more, everything is done. */
proctype Auditor() {
  byte r;
  timeout;
  for (r : 0 .. RUNS - 1) { assert(finished(r)) }
}

init {
  byte worker;
  atomic {
    for (worker : 0 .. WORKERS - 1) { run Worker(worker) }
    run Janitor();
    run Operator();
    run Auditor()
  }
}
