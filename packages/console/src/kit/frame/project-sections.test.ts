import { expect, test } from 'vitest';
import { isSetUp, mainSections, projectSections, readProjectSearch } from './project-sections.ts';

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

test('every section is in the line of all, or under set-up', () => {
  const lost = projectSections.filter(
    (section) => !isSetUp(section) && !mainSections.some((one) => one === section),
  );
  expect(lost).toEqual([]);
  expect(isSetUp('skills')).toBe(true);
  expect(isSetUp('evals')).toBe(false);
});
