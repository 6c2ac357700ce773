import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { canonicalJson } from '../kernel/canonical-json.ts';
import { scoreHashesHold } from './score-hashes.ts';

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
const hashOf = (value: unknown) => sha256(canonicalJson(value));
const tone = { scorerId: 'tone', scorerVersion: '1', role: 'gating', passThreshold: 0.5 };
const length = { ...tone, scorerId: 'length', role: 'advisory' };
const rows = [tone, length].map((one) => ({
  scorerId: one.scorerId,
  definitionHash: hashOf(one),
}));
const config = { hash: hashOf([length, tone]), definitions: [tone, length] };
/**
 * Each text begins with the threshold, so the texts sort in the opposite order of the scorer ids.
 */
const spelledAccuracy =
  '{"passThreshold":0.5,"role":"gating","scorerId":"accuracy","scorerVersion":"1"}';
const spelledZeal = '{"passThreshold":0.25,"role":"gating","scorerId":"zeal","scorerVersion":"1"}';

test.each<[string, unknown[], unknown, boolean]>([
  ['made by these definitions', rows, config, true],
  ['in another order', rows.toReversed(), { ...config, definitions: [length, tone] }, true],
  [
    'with a name for people',
    rows,
    { ...config, definitions: [{ ...tone, label: 'Tone' }, length] },
    true,
  ],
  [
    'hashed as published clients do: the spellings without labels, sorted',
    [
      { scorerId: 'accuracy', definitionHash: sha256(spelledAccuracy) },
      { scorerId: 'zeal', definitionHash: sha256(spelledZeal) },
    ],
    {
      hash: sha256(`[${spelledZeal},${spelledAccuracy}]`),
      definitions: [
        { ...tone, scorerId: 'accuracy', label: 'Accuracy' },
        { ...tone, scorerId: 'zeal', passThreshold: 0.25, label: 'Zeal' },
      ],
    },
    true,
  ],
  ['a row of another definition', [{ ...rows[0], definitionHash: hashOf(length) }], config, false],
  ['a row of no definition', [{ ...rows[0], scorerId: 'odd' }], config, false],
  ['another hash of them all', rows, { ...config, hash: hashOf([tone]) }, false],
  [
    'a definition that was changed since',
    rows,
    { ...config, definitions: [{ ...tone, passThreshold: 0.1 }, length] },
    false,
  ],
  ['no definitions', rows, undefined, false],
])('%s', (_title, scores, evaluationConfig, holds) => {
  expect(scoreHashesHold(scores, evaluationConfig, sha256)).toBe(holds);
});

test('a definition that is nested too deeply to be spelled holds nothing, and breaks nothing', () => {
  let deep: unknown = 1;
  for (let depth = 0; depth < 50_000; depth += 1) deep = [deep];
  const definitions = [{ ...tone, deep }];
  expect(scoreHashesHold(rows, { hash: 'x', definitions }, sha256)).toBe(false);
});
