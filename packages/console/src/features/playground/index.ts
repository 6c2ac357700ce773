/** The exports of this feature for other features. */
export { PlaygroundSection } from './playground-section.tsx';
