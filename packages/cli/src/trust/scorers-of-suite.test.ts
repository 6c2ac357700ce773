import { expect, test } from 'vitest';
import { scorersOfSuite } from './scorers-of-suite.ts';

const suiteWith = (url: string) => ({ cases: [{ assertions: [{ type: 'scorer', url }] }] });

test('the address of an own scorer is agreed to as it stands, its path filled in from rows or not', () => {
  const [one] = scorersOfSuite(suiteWith('https://score.example/{{name}}'));
  expect(one?.stated).toEqual({ setting: 'scorer', value: 'https://score.example/{{name}}' });
});

test.each(['https://{{host}}/score', 'https://a:{{x}}@score.example/', '{{url}}'])(
  'a host that rows of data fill in is refused: %s',
  (url) => {
    expect(() => scorersOfSuite(suiteWith(url))).toThrow('write the host into the suite file');
  },
);
