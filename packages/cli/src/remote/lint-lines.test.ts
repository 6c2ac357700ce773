import { expect, test } from 'vitest';
import { type AnyFinding, lintLinesByServer } from './lint-lines.ts';

const hint = (toolName: string, path: string, more: object = {}): AnyFinding => ({
  rule: 'parameter-undescribed',
  severity: 'info',
  serverName: 'shop',
  toolName,
  path,
  message: `The parameter at ${path} has no description.`,
  reason: 'A model fills in a parameter according to its description.',
  trials: [],
  ...more,
});
const servers = [{ serverName: 'shop', tools: [1, 2], total: { o200k_base: 70, approx: 73 } }];
const lines = (...findings: AnyFinding[]) =>
  lintLinesByServer(servers, findings, { ascii: false, width: 80 });

test('hints of one rule are one block, and other findings have their own', () => {
  const overlay = { servers: [] };
  expect(
    lines(
      hint('get', '/a', { severity: 'warn' }),
      hint('get', '/b', { overlay }),
      hint('list', '/c'),
      hint('list', '/d', { rule: 'enum-undescribed' }),
    ),
  ).toEqual([
    'shop: 2 tools, 70 tokens',
    '  warn parameter-undescribed get /a',
    '    The parameter at /a has no description. A model fills in a parameter',
    '      according to its description.',
    '  info enum-undescribed list /d',
    '    The parameter at /d has no description. A model fills in a parameter',
    '      according to its description.',
    '  info parameter-undescribed: 2 places',
    '    A model fills in a parameter according to its description.',
    '    At: get /b, list /c.',
    '    --json has an overlay to try.',
    '',
    '0 errors, 1 warning, 3 hints.',
  ]);
});

test('ten places are named and the others are counted', () => {
  const many = Array.from({ length: 12 }, (_, at) => hint('get', `/${at}`));
  expect(
    lines(...many)
      .join(' ')
      .replaceAll(/\s+/g, ' '),
  ).toContain('get /9 and 2 others.');
});
