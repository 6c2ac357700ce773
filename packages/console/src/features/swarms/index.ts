/** What others may use of this feature. */
export { SwarmsSection } from './swarms-section.tsx';
