/** What others may use of this feature. */
export { PluginsSection, ServerGroupsSection, SkillsSection } from './bundles-sections.tsx';
export { ClientsSection } from './clients-section.tsx';
export { EnvironmentsSection } from './environments-section.tsx';
