import { expect, test } from 'vitest';
import { withoutPassword } from './hide-password.mjs';

test.each([
  ['postgres://user:s3cret@host/db', 'postgres://user:***@host/db'],
  ['postgresql://user:s3:cr@et@host:5432/db?a=b', 'postgresql://user:***@host:5432/db?a=b'],
  ['--database-url=postgres://user:s3cret@host/db', '--database-url=postgres://user:***@host/db'],
  ['postgres:///db?user=u&password=s3cret&x=y', 'postgres:///db?user=u&password=***&x=y'],
  ['postgres://host/db', 'postgres://host/db'],
  ['serve', 'serve'],
  ['https://user:s3cret@host/', 'https://user:s3cret@host/'],
])('%s is shown as %s', (given, shown) => {
  expect(withoutPassword(given)).toBe(shown);
});
