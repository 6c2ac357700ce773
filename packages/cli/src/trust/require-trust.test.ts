import { expect, test } from 'vitest';
import { questionLines } from './require-trust.ts';
import { scorersOfSuite } from './scorers-of-suite.ts';
import { thingsOfEntry, thingsOfSuiteServer } from './things-of-server.ts';

test('each thing begins a line, and no line is wider than 80 columns', () => {
  const long = `starts the program node ${'--flag '.repeat(20)}server.js (files)`;
  const lines = questionLines([long, 'sets chromium to "/x"'], 'proofmark.config.json', 120);
  expect(lines[0]).toBe(
    'These actions of proofmark.config.json need your agreement in this folder:',
  );
  for (const line of lines) expect(line.length).toBeLessThanOrEqual(80);
  expect(lines.filter((line) => line.startsWith('  - it '))).toHaveLength(2);
  expect(lines.map((line) => line.trim()).join(' ')).toContain(long);
});

test('the scorers of a suite are found wherever they stand, each once', () => {
  const scorer = (url: string) => ({ type: 'scorer', url, threshold: 0.5 });
  const shared = scorer('https://a.example/score');
  const suite = {
    checks: [shared],
    cases: [
      null,
      {
        assertions: [shared, { type: 'responseContains', needle: 'x', url: 'https://no.example' }],
      },
      { steps: [{ kind: 'assert', assertion: scorer('https://b.example/score') }] },
    ],
  };
  const found = scorersOfSuite(suite).map(({ stated }) => 'value' in stated && stated.value);
  expect(found).toEqual(['https://a.example/score', 'https://b.example/score']);
  for (const nothing of [undefined, null, 'scorer', []])
    expect(scorersOfSuite(nothing)).toEqual([]);
});

test('the folder of a program is shown, and the values of variables that choose code', () => {
  const [ofSuite] = thingsOfSuiteServer({
    name: 'shop',
    command: 'node',
    args: ['a.js'],
    cwd: '../x',
  });
  expect(ofSuite?.shown).toBe('starts the program node a.js in ../x (shop)');
  const env = { SHOP_KEY: 'hidden', NODE_OPTIONS: '--import ./evil.mjs' };
  const [ofEntry] = thingsOfEntry('shop', { command: 'node', args: ['a.js'], env, cwd: 'tools' });
  expect(ofEntry?.shown).toBe(
    'starts the program node a.js with SHOP_KEY, NODE_OPTIONS=--import ./evil.mjs in tools (shop)',
  );
});
