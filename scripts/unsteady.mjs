import { countsOf, nameOf } from './counts.mjs';

/*
 * Contract tests start real programs, and on a busy machine one of some thousands may exceed its time. A second run,
 * alone, distinguishes that from a fault. Where more than this many files failed, that is no accident.
 */
const MOST_FILES = 5;

const isFailure = ({ state }) => state === 'failed';

/** The files whose tests may run once more; none where something failed that no busy machine explains. */
export function filesToRunAgain(results) {
  const failures = results.filter(isFailure);
  if (failures.some(({ project }) => project !== 'contract')) return [];
  const files = [...new Set(failures.map(({ file }) => file))];
  return files.length > MOST_FILES ? [] : files;
}

/**
 * The counts of two runs, the second of which was of the `files` that failed in the first. A test counts as its second
 * run went. It is unsteady where it passed then: what is skipped in the second run, or missing, still fails.
 */
export function countsOfBoth(first, files, second) {
  const kept = first.filter(({ file }) => !files.includes(file));
  const again = second.filter(({ file }) => file === undefined || files.includes(file));
  const counts = countsOf([...kept, ...again]);
  const passed = new Set(again.filter(({ state }) => state === 'passed').map(nameOf));
  for (const failure of first.filter((result) => isFailure(result) && files.includes(result.file))) {
    const name = nameOf(failure);
    if (passed.has(name) || passedAsAFile(failure, again)) counts.unsteady.push(`${name}: ${failure.text}`);
    else if (!counts.failures.includes(name)) counts.failures.push(name);
  }
  return counts;
}

/** Where a hook failed and not a test, the whole file must pass. */
function passedAsAFile(failure, again) {
  const ofFile = again.filter(({ file }) => file === failure.file);
  const somePassed = ofFile.some(({ state }) => state === 'passed');
  return failure.test === undefined && somePassed && !ofFile.some(isFailure);
}
