/** The exports of this feature for other features. */
export { readScenarioSearch } from './sections.ts';
export { UserTestingSection } from './user-testing-section.tsx';
