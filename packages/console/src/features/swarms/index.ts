/** The exports of this feature for other features. */
export { SwarmsSection } from './swarms-section.tsx';
export { TryWithUsers } from './try-with-users.tsx';
