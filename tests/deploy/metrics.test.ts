import { readFileSync } from 'node:fs';
import { allOperations } from '@proofmark/contract';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { installationMetrics } from '../../packages/server/src/features/health/installation-metrics.ts';
import { createMetrics } from '../../packages/server/src/platform/http/metrics.ts';

const readText = (file: string) => readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8');
const document = readText('docs/reference/metrics.md');
const rules: { alert: string; expr: string }[] = parse(
  readText('deploy/prometheus-alerts.yaml'),
).groups.flatMap((group: { rules: unknown[] }) => group.rules);

interface Metric {
  readonly type: string;
  readonly labels: readonly string[];
}

async function exposition(): Promise<string> {
  const metrics = createMetrics(
    installationMetrics({
      readInstallationLoad: async () => ({
        databaseVersion: '18',
        databaseBytes: 1,
        launchedRuns: 1,
        reportedRuns: 1,
        work: [{ kind: 'eval-trials', waiting: 1, leased: 1, silent: 0, longestWaitSeconds: 1 }],
        workers: [],
      }),
      freeDiskSpace: async () => ({
        freeBytes: 1,
        totalBytes: 2,
        holdsDatabase: true,
        refusesWrites: false,
      }),
    }),
  );
  metrics.observe('getMe', 'GET', 200, 0.1);
  return metrics.text();
}

async function exposed(): Promise<Map<string, Metric>> {
  const text = await exposition();
  const found = new Map<string, Metric>();
  for (const [, name = '', type = ''] of text.matchAll(/^# TYPE (\S+) (\S+)$/gm)) {
    const sample = new RegExp(`^${name}(?:_bucket|_count|_sum)?\\{(.*)\\} `, 'm').exec(text)?.[1];
    const labels = [...(sample ?? '').matchAll(/(\w+)="/g)].map((match) => match[1] as string);
    found.set(name, { type, labels: labels.filter((label) => label !== 'le') });
  }
  return found;
}

function documented(): Map<string, Metric> {
  const rows = document.matchAll(/^\| `(proofmark_\w+)` \| (\w+) \|([^|]*)\| .+ \|$/gm);
  return new Map(
    [...rows].map(([, name = '', type = '', labels = '']) => [
      name,
      { type, labels: [...labels.matchAll(/`(\w+)`/g)].map((match) => match[1] as string) },
    ]),
  );
}

const namesIn = (text: string) => [...new Set(text.match(/proofmark_\w+/g) ?? [])];

describe('the reference of metrics', () => {
  test('names every metric there is with its type, and no other', async () => {
    const types = (metrics: Map<string, Metric>) =>
      Object.fromEntries([...metrics].map(([name, { type }]) => [name, type]));
    expect(types(documented())).toEqual(types(await exposed()));
  });

  test('names the labels of every metric that has any at the moment', async () => {
    const shown = documented();
    const labelled = [...(await exposed())].filter(([, { labels }]) => labels.length > 0);
    expect(labelled.length).toBeGreaterThan(8);
    for (const [name, { labels }] of labelled) {
      expect([name, [...(shown.get(name)?.labels ?? [])].sort()]).toEqual([
        name,
        [...labels].sort(),
      ]);
    }
  });
});

describe('the alerts', () => {
  test('ask only for metrics and labels there are', async () => {
    const metrics = await exposed();
    for (const { alert, expr } of rules) {
      for (const [, name = '', selector = ''] of expr.matchAll(
        /(proofmark_\w+)(?:\{([^}]*)\})?/g,
      )) {
        const base = name.replace(/_(bucket|count|sum)$/, '');
        const metric = metrics.get(metrics.has(name) ? name : base);
        expect(metric, `${alert}: ${name}`).toBeDefined();
        if (name !== base) expect(metric?.type, `${alert}: ${name}`).toBe('histogram');
        const asked = [...selector.matchAll(/(\w+)\s*[=!]/g)].map((match) => match[1]);
        expect(metric?.labels, alert).toEqual(expect.arrayContaining(asked));
      }
    }
    expect(rules.flatMap(({ expr }) => namesIn(expr)).length).toBeGreaterThan(7);
  });

  test('are those of the reference', () => {
    const listed = [...document.matchAll(/^\| `(Proofmark\w+)` \|/gm)].map((match) => match[1]);
    expect(rules.map(({ alert }) => alert)).toEqual(listed);
  });

  test('on slow requests leave out exactly those that wait for others', () => {
    const { expr = '' } = rules.find(({ alert }) => alert === 'ProofmarkSlow') ?? {};
    const left = /operation!~"([^"]*)"/.exec(expr)?.[1]?.split('|') ?? [];
    const waiting = allOperations.filter((row) => row.outbound || row.follows);
    expect(left.sort()).toEqual(['probe', ...waiting.map((row) => row.operationId)].sort());
  });
});

function problemsOf(text: string): string[] {
  const types = new Map(
    [...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)].map((match) => [match[1] as string, match[2]]),
  );
  const helped = [...text.matchAll(/^# HELP (\S+) (.*)$/gm)].map((match) => [match[1], match[2]]);
  const samples = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  const series = samples.map((line) => line.slice(0, line.lastIndexOf(' ')));
  const families = series.map((one) => one.replace(/\{.*$/s, ''));
  const isKnown = (name: string) =>
    types.has(name) || types.has(name.replace(/_(?:bucket|sum|count)$/, ''));
  return [
    ...[...types].flatMap(([name, type]) => [
      ...(helped.some(([of, words]) => of === name && words !== '') ? [] : [`${name} has no HELP`]),
      ...(type === 'counter' && !name.endsWith('_total')
        ? [`${name} is a counter without _total`]
        : []),
      ...(type !== 'counter' && name.endsWith('_total')
        ? [`${name} is no counter and ends in _total`]
        : []),
      ...(type !== 'histogram' && /_bucket$/.test(name) ? [`${name} is no histogram`] : []),
      ...(/_(?:milliseconds|ms|minutes|hours|kilobytes|megabytes|kb|mb|percent)(?:_|$)/.test(name)
        ? [`${name} is in no base unit`]
        : []),
      ...(/[A-Z]/.test(name) ? [`${name} is not in lower case`] : []),
      ...(name.includes(`_${type}`) ? [`${name} holds its type`] : []),
    ]),
    ...families.filter((name) => !isKnown(name)).map((name) => `${name} has no TYPE`),
    ...series.filter((one, at) => series.indexOf(one) !== at).map((one) => `${one} is there twice`),
    ...(helped.length === types.size ? [] : ['a metric is described twice']),
  ];
}

test('the metrics keep the rules that promtool checks', async () => {
  expect(problemsOf(await exposition())).toEqual([]);
  const bad = '# HELP a_total A.\n# TYPE a_total gauge\na_total 1\na_total 2\nb 1\n';
  expect(problemsOf(bad)).toEqual([
    'a_total is no counter and ends in _total',
    'b has no TYPE',
    'a_total is there twice',
  ]);
});
