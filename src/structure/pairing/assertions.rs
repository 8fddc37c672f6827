//! What a test asserts: in its own body, and in the functions it calls, one level deep.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use foldhash::{HashMap, HashMapExt as _, HashSet};
use memchr::memmem;
use rayon::prelude::*;

use super::matching::Matching;
use super::side::{Item, Side};
use super::{Input, Settings};
use crate::structure::outline::{Role, TestBody};
use crate::structure::paths::is_test_file;
use crate::structure::source::Side as Which;

/// One assertion that counts.
#[derive(Clone)]
pub(super) struct Counted {
    /// Its hash.
    pub(super) hash: u64,
    /// Its line.
    pub(super) line: u32,
    /// Its text.
    pub(super) text: String,
}

/// All assertions of a test that can fail, and the helpers that hold some of them.
pub(super) struct Asserted {
    /// The assertions: own first, then those of helpers in the order of their names.
    pub(super) assertions: Vec<Counted>,
    helpers: BTreeSet<usize>,
}

/// Assertions of new tests and new helpers, by hash: where each stands, and how many are left to credit.
type Pool = HashMap<u64, Vec<(usize, usize)>>;

/// Functions before, by name.
type Weakened<'a> = BTreeMap<&'a str, BTreeSet<usize>>;

/// Looks into bodies, each at most once.
pub(super) struct Bodies<'m, 'a> {
    matching: &'m Matching<'m, 'a>,
    input: &'a Input<'a>,
    settings: &'m Settings,
    read: Mutex<HashMap<(Which, usize), Arc<TestBody>>>,
    functions: [OnceLock<Functions<'a>>; 2],
    pool: Mutex<Option<Pool>>,
    weakened: OnceLock<Weakened<'a>>,
}

/// The functions of one side that a test may call.
#[derive(Default)]
struct Functions<'a> {
    in_file: HashMap<(usize, &'a str), usize>,
    /// `None` where a name is not unique.
    by_name: HashMap<&'a str, Option<usize>>,
}

/// Takes a lock. Who panicked left nothing half done: a body is added after it was read.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Whether it may be a helper of tests: public functions are what is tested, their own checks are not the test's.
fn is_helper(item: &Item<'_>) -> bool {
    item.unit.role == Role::Symbol && item.unit.body.is_some() && !item.unit.visibility.is_public()
}

impl<'m, 'a> Bodies<'m, 'a> {
    /// Nothing read yet.
    pub(super) fn new(matching: &'m Matching<'m, 'a>, input: &'a Input<'a>, settings: &'m Settings) -> Self {
        Self {
            matching,
            input,
            settings,
            read: Mutex::new(HashMap::new()),
            functions: [OnceLock::new(), OnceLock::new()],
            pool: Mutex::new(None),
            weakened: OnceLock::new(),
        }
    }

    /// Reads the bodies that the comparison of tests will ask for, on all cores.
    pub(super) fn read_ahead(&self) {
        let (before, after) = (self.matching.before, self.matching.after);
        let hash = |item: &Item<'_>| item.unit.body.as_ref().map(|body| body.hash);
        let mut wanted = Vec::new();
        for pair in &self.matching.pairs {
            let (old, new) = (&before.items[pair.before], &after.items[pair.after]);
            let same = || hash(old) == hash(new) && !self.helper_weakened(pair.before);
            if old.is_test() && new.is_test() && !same() {
                wanted.extend([(Which::Before, pair.before), (Which::After, pair.after)]);
            }
        }
        self.read_all(wanted.clone());
        let mut helpers = Vec::new();
        for (which, test) in wanted {
            let body = self.body(which, test);
            let called = body
                .calls
                .iter()
                .filter_map(|name| self.function(which, test, name));
            helpers.extend(called.map(|at| (which, at)));
        }
        self.read_all(helpers);
    }

    /// Reads many bodies at once.
    fn read_all(&self, mut wanted: Vec<(Which, usize)>) {
        wanted.sort_unstable();
        wanted.dedup();
        wanted.retain(|key| !lock(&self.read).contains_key(key));
        let (scanner, helpers) = (self.input.scanner, &self.settings.helpers);
        let sides = [self.matching.before, self.matching.after];
        let bodies: Vec<TestBody> = wanted
            .par_iter()
            .map(|(which, at)| {
                let [before, after] = sides;
                let side = if *which == Which::Before { before } else { after };
                let item = &side.items[*at];
                scanner.test_body(item.file.bytes, item.unit, helpers)
            })
            .collect();
        lock(&self.read).extend(wanted.into_iter().zip(bodies.into_iter().map(Arc::new)));
    }

    fn side(&self, which: Which) -> &'m Side<'a> {
        match which {
            Which::Before => self.matching.before,
            Which::After => self.matching.after,
        }
    }

    /// The body of a test or helper.
    pub(super) fn body(&self, which: Which, at: usize) -> Arc<TestBody> {
        if let Some(body) = lock(&self.read).get(&(which, at)) {
            return Arc::clone(body);
        }
        let item = &self.side(which).items[at];
        let body = Arc::new(
            self.input
                .scanner
                .test_body(item.file.bytes, item.unit, &self.settings.helpers),
        );
        lock(&self.read).insert((which, at), Arc::clone(&body));
        body
    }

    /// Everything that a test asserts.
    pub(super) fn asserted(&self, which: Which, at: usize) -> Asserted {
        let body = self.body(which, at);
        let mut asserted = Asserted {
            assertions: Vec::new(),
            helpers: BTreeSet::new(),
        };
        asserted.take(&body);
        if let Some(table) = self.table(which, at) {
            asserted.take(&self.body(which, table));
        }
        for name in &body.calls {
            let helper = self.function(which, at, name);
            if let Some(helper) = helper.filter(|helper| *helper != at && asserted.helpers.insert(*helper)) {
                asserted.take(&self.body(which, helper));
            }
        }
        asserted
    }

    /// The suite whose own function runs a test that is one of its rows: such a row stands behind that function.
    fn table(&self, which: Which, test: usize) -> Option<usize> {
        let side = self.side(which);
        let row = &side.items[test];
        let suite = &side.items[row.parent?];
        let (function, own) = (suite.unit.body.as_ref()?, row.unit.body.as_ref()?);
        let is_row = suite.unit.role == Role::Suite
            && std::ptr::eq(suite.file, row.file)
            && function.bytes.end <= own.bytes.start;
        is_row.then_some(row.parent?)
    }

    /// Whether the function that runs a row asserts less than before.
    fn table_weakened(&self, test: usize) -> bool {
        let Some(before) = self.table(Which::Before, test) else {
            return false;
        };
        let now = self.matching.partner_of_before(test).map(|pair| pair.after);
        let after = now.and_then(|now| self.table(Which::After, now));
        let old = count(&self.body(Which::Before, before));
        old > after.map_or(0, |after| count(&self.body(Which::After, after)))
    }

    /// The function that a test calls by this name: one of its file, or the only one of the changed files with tests.
    fn function(&self, which: Which, test: usize, name: &str) -> Option<usize> {
        let side = self.side(which);
        let index = match which {
            Which::Before => 0,
            Which::After => 1,
        };
        let functions = self.functions[index].get_or_init(|| {
            let mut functions = Functions::default();
            let holding_tests: HashSet<usize> = side
                .items
                .iter()
                .filter(|item| item.is_test())
                .map(|item| item.pair)
                .collect();
            for (at, item) in side.items.iter().enumerate().filter(|(_, item)| is_helper(item)) {
                let name = item.unit.segment.name.as_str();
                functions.in_file.entry((item.pair, name)).or_insert(at);
                // What the product asserts of itself is not asserted by the tests of another file.
                if !(holding_tests.contains(&item.pair) || is_test_file(item.file.path)) {
                    continue;
                }
                functions
                    .by_name
                    .entry(name)
                    .and_modify(|only| *only = None)
                    .or_insert(Some(at));
            }
            functions
        });
        let file = side.items[test].pair;
        functions
            .in_file
            .get(&(file, name))
            .copied()
            .or_else(|| functions.by_name.get(name).copied().flatten())
    }

    /// How many of these missing assertions reappear in a new test, or in a new helper not counted for the test itself.
    ///
    /// Each place is credited once.
    pub(super) fn credit(&self, missing: &[Counted], asserted: &Asserted) -> Vec<bool> {
        let mut pool = lock(&self.pool);
        let pool = pool.get_or_insert_with(|| self.fill_pool());
        let mut credit = |assertion: &Counted| {
            let places = pool.get_mut(&assertion.hash)?;
            let place = places
                .iter_mut()
                .find(|(at, left)| *left > 0 && !asserted.helpers.contains(at))?;
            place.1 -= 1;
            Some(())
        };
        missing
            .iter()
            .map(|assertion| credit(assertion).is_some())
            .collect()
    }

    fn fill_pool(&self) -> Pool {
        let mut pool = Pool::new();
        let side = self.matching.after;
        let new: Vec<usize> = (0..side.items.len())
            .filter(|at| {
                let item = &side.items[*at];
                self.matching.open_after(*at) && (item.is_test() || is_helper(item)) && self.may_assert(item)
            })
            .collect();
        self.read_all(new.iter().map(|at| (Which::After, *at)).collect());
        for at in new {
            for assertion in self
                .body(Which::After, at)
                .assertions
                .iter()
                .filter(|assertion| !assertion.vacuous)
            {
                let places = pool.entry(assertion.hash).or_default();
                match places.last_mut() {
                    Some((last, left)) if *last == at => *left += 1,
                    _ => places.push((at, 1)),
                }
            }
        }
        pool
    }

    fn may_assert(&self, item: &Item<'_>) -> bool {
        let bytes = item
            .unit
            .body
            .as_ref()
            .and_then(|body| item.file.bytes.get(body.bytes.clone()));
        bytes.is_some_and(|bytes| self.input.scanner.may_assert(bytes, &self.settings.helpers))
    }

    /// Whether a test whose own body is the same calls a helper that asserts less than before.
    pub(super) fn helper_weakened(&self, test: usize) -> bool {
        if self.table_weakened(test) {
            return true;
        }
        let weakened = self.weakened.get_or_init(|| self.find_weakened());
        let item = &self.matching.before.items[test];
        let Some(body) = item
            .unit
            .body
            .as_ref()
            .and_then(|body| item.file.bytes.get(body.bytes.clone()))
        else {
            return false;
        };
        // Names are looked up as the test's own count of assertions does it; the text is searched last.
        weakened.iter().any(|(name, helpers)| {
            let called = self.function(Which::Before, test, name);
            called.is_some_and(|called| helpers.contains(&called))
                && memmem::find(body, name.as_bytes()).is_some()
        })
    }

    /// Functions before that asserted more than what they became, by name.
    fn find_weakened(&self) -> Weakened<'a> {
        let (before, after) = (self.matching.before, self.matching.after);
        let mut weakened = Weakened::new();
        let mut changed = Vec::new();
        for (at, item) in before
            .items
            .iter()
            .enumerate()
            .filter(|(_, item)| is_helper(item))
        {
            let now = self.matching.partner_of_before(at).map(|pair| pair.after);
            let hash = |item: &Item<'_>| item.unit.body.as_ref().map(|body| body.hash);
            let same = now.is_some_and(|now| hash(&after.items[now]) == hash(item));
            if !same && self.may_assert(item) {
                changed.push((at, now));
            }
        }
        let both = changed.iter().flat_map(|(at, now)| {
            let now = now.map(|now| (Which::After, now));
            [Some((Which::Before, *at)), now]
        });
        self.read_all(both.flatten().collect());
        for (at, now) in changed {
            let item = &before.items[at];
            let old = count(&self.body(Which::Before, at));
            if old > now.map_or(0, |now| count(&self.body(Which::After, now))) {
                let name = item.unit.segment.name.as_str();
                weakened.entry(name).or_default().insert(at);
            }
        }
        weakened
    }
}

/// How many assertions of a body can fail.
fn count(body: &TestBody) -> usize {
    let counted = body.assertions.iter().filter(|assertion| !assertion.vacuous);
    counted.count()
}

impl Asserted {
    fn take(&mut self, body: &TestBody) {
        let counted = body.assertions.iter().filter(|assertion| !assertion.vacuous);
        self.assertions.extend(counted.map(|assertion| Counted {
            hash: assertion.hash,
            line: assertion.line,
            text: assertion.text.clone(),
        }));
    }

    /// The assertions of this that the other does not have, counted with repetition.
    pub(super) fn without(&self, other: &Self) -> Vec<Counted> {
        let mut there: HashMap<u64, usize> = HashMap::new();
        for assertion in &other.assertions {
            *there.entry(assertion.hash).or_default() += 1;
        }
        let mut gone = |assertion: &&Counted| match there.get_mut(&assertion.hash) {
            Some(left) if *left > 0 => {
                *left -= 1;
                false
            }
            _ => true,
        };
        self.assertions
            .iter()
            .filter(|assertion| gone(assertion))
            .cloned()
            .collect()
    }
}
