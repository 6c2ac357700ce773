export { SwarmsSection } from './swarms-section.tsx';
export { TryWithUsers } from './try-with-users.tsx';
