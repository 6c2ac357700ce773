/** The exports of this feature for other features. */
export { useSpentToday } from './spent-today.tsx';
