import { expect, test } from 'vitest';
import { readProjectSearch } from './sections.ts';

test('the address remembers the section, and archived ones only where there are any', () => {
  expect(readProjectSearch({ section: 'clients' })).toEqual({ section: 'clients' });
  expect(readProjectSearch({ section: 'environments', archived: true })).toEqual({
    section: 'environments',
    archived: true,
  });
  expect(readProjectSearch({ section: 'skills', archived: true })).toEqual({ section: 'skills' });
  expect(readProjectSearch({ section: 'overview' })).toEqual({});
  expect(readProjectSearch({ section: 'nonsense' })).toEqual({});
});
