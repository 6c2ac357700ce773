export { useSpentToday } from './spent-today.tsx';
