/** What others may use of this feature. */
export { PlaygroundSection } from './playground-section.tsx';
