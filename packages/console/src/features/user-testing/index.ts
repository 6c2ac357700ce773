export { readScenarioSearch } from './sections.ts';
export { ShareServer } from './share-server.tsx';
export { UserTestingSection } from './user-testing-section.tsx';
