import { expect, test } from 'vitest';
import { auditQuery, readAuditSearch } from './audit-search.ts';

test('what is no filter is left out', () => {
  const read = readAuditSearch({
    kind: 'magic',
    actor: '  ',
    since: 'soon',
    until: '2026-3-4',
    x: 1,
  });
  expect(read).toEqual({});
});

test('days are asked for from the first moment to the last', () => {
  const search = readAuditSearch({
    kind: 'member',
    actor: ' ann@acme.example ',
    since: '2026-03-04',
    until: '2026-03-04',
  });
  expect(auditQuery(search)).toEqual({
    kind: 'member',
    actor: 'ann@acme.example',
    since: String(new Date(2026, 2, 4).getTime()),
    until: String(new Date(2026, 2, 5).getTime()),
  });
});
