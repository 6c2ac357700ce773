/** What others may use of this feature. */
export { readScenarioSearch } from './sections.ts';
export { UserTestingSection } from './user-testing-section.tsx';
