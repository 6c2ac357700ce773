/**
 * The figures of the guide "How sure is this?" are those that the rules compute, and no text
 * promises more than a chance.
 */
import {
  fixedPlan,
  logEvidenceBelow,
  makeTrialPlan,
  planMeans,
  planOutcome,
  planTerms,
} from '@proofmark/domain';
import { expect, test } from 'vitest';
import { repositoryRoot } from './repository-root.ts';
import { listFiles, readText } from './source-tree.ts';

const guide = readText(repositoryRoot, 'docs/guides/how-sure.md');

/** Returns the cells of each row below the header that begins so. */
function rowsBelow(header: string): string[][] {
  const [, table = ''] = guide.split(header);
  const [, ...lines] = table.slice(table.indexOf('\n') + 1).split('\n');
  const rows = lines.slice(
    0,
    lines.findIndex((line) => !line.startsWith('|')),
  );
  return rows.map((row) =>
    row
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
}

const percent = (rate: number) => `${(rate * 100).toFixed(1)} %`;

function planFigures(rates: string, look: number) {
  const [healthyRate = 0, dropped = 0] = (rates.match(/\d+/g) ?? []).map((each) => +each / 100);
  const drop = Number((healthyRate - dropped).toFixed(9));
  const made = makeTrialPlan({ healthyRate, drop, look });
  if ('refusal' in made) throw new Error(made.refusal.message);
  const { plan } = made;
  const { meanHealthy, meanRegressed, meanHalfway } = planMeans(plan);
  const means = [meanHealthy, meanRegressed, meanHalfway, planOutcome(plan, 0.3).meanTrials];
  return {
    passThreshold: percent(plan.passThreshold),
    fixed: String(fixedPlan(planTerms({ healthyRate, drop }))?.trials),
    others: [
      String(plan.cap),
      percent(plan.exactFalseFail),
      percent(plan.exactMiss),
      ...means.map((mean) => mean.toFixed(1)),
    ],
  };
}

test('plans of the guide with a look after every 4 trials', () => {
  const rows = rowsBelow('| Healthy, dropped | Passing score');
  expect(rows).toHaveLength(7);
  for (const [rates = '', ...cells] of rows) {
    const { passThreshold, fixed, others } = planFigures(rates, 4);
    expect([rates, ...cells]).toEqual([rates, passThreshold, fixed, ...others]);
  }
});

test('plans of the guide with a look after every trial', () => {
  const rows = rowsBelow('| Healthy, dropped | Cap');
  expect(rows).toHaveLength(7);
  for (const [rates = '', ...cells] of rows) {
    expect([rates, ...cells]).toEqual([rates, ...planFigures(rates, 1).others]);
  }
});

/** Plays all courses of 100 trials exactly, looking after each. */
function everBelow(threshold: number, rate: number): { found: number; mean: number } {
  let going = [1];
  let [found, mean] = [0, 0];
  for (let trials = 1; trials <= 100; trials += 1) {
    const before = going;
    going = Array.from({ length: trials + 1 }, (_, passed) => {
      const chance = (before[passed] ?? 0) * (1 - rate) + (before[passed - 1] ?? 0) * rate;
      if (logEvidenceBelow({ passed, trials }, threshold) < Math.log(20)) return chance;
      found += chance;
      mean += chance * trials;
      return 0;
    });
  }
  return { found, mean: mean + (1 - found) * 100 };
}

test('histories of the guide', () => {
  const rows = rowsBelow('| Threshold | True rate');
  expect(rows).toHaveLength(5);
  for (const [threshold = '', rate = '', below, mean] of rows) {
    const ever = everBelow(Number.parseInt(threshold, 10) / 100, Number.parseInt(rate, 10) / 100);
    expect([threshold, rate, below]).toEqual([threshold, rate, percent(ever.found)]);
    if (mean !== '') expect(mean).toBe(ever.mean.toFixed(1));
  }
});

test('no text for people says more than its chance', () => {
  const tooSure = /believe it|\bproves\b|\bsignificant(ly)?\b|\bguarantee[sd]?\b/i;
  const isForPeople = (file: string) =>
    /^(packages\/[a-z]+\/src|docs\/guides)\/.*\.(ts|tsx|md|html)$/.test(file) &&
    !/\.test\.tsx?$/.test(file);
  const said = listFiles(repositoryRoot)
    .filter(isForPeople)
    .flatMap((file) =>
      readText(repositoryRoot, file)
        .split('\n')
        .filter((line) => tooSure.test(line) && !/^\s*(\*|\/\/|\/\*)/.test(line))
        .map((line) => `${file}: ${line.trim()}`),
    );
  expect(said).toEqual([]);
});
