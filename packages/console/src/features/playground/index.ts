export { PlaygroundSection } from './playground-section.tsx';
