/** The exports of this feature for other features. */
export { readScenarioSearch } from './sections.ts';
export { ShareServer } from './share-server.tsx';
export { UserTestingSection } from './user-testing-section.tsx';
