import { expect, test } from 'vitest';
import { parseYamlLoosely } from './parse-yaml.ts';

test('a suite file whose calls lack quotes is read, so that what it starts is asked about', () => {
  const text = `target: { servers: [{ name: Shop, command: node server.js }] }
cases:
  - ask: Hi
    calls: get_book(bookId: 3, title: Tea)
    assertions: [{ type: scorer, url: "https://score.example" }]
`;
  expect(parseYamlLoosely(text)).toMatchObject({
    target: { servers: [{ command: 'node server.js' }] },
    cases: [{ assertions: [{ url: 'https://score.example' }] }],
  });
});
