import { expect, test } from 'vitest';
import { databasePort } from './database-port.ts';

test.each([
  ['postgres://u:p@db.internal:6543/proofmark', { host: 'db.internal', port: 6543 }],
  ['postgres://db.internal/proofmark?sslmode=disable', { host: 'db.internal', port: 5432 }],
  ['postgres://u@[fd12::1]:6543/proofmark', { host: 'fd12::1', port: 6543 }],
  ['postgres:///proofmark?host=/var/run/postgresql', { host: '/var/run/postgresql', port: 5432 }],
])('%s', (url, expected) => {
  expect(databasePort(url)).toEqual(expected);
});
