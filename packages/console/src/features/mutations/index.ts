/** What others may use of this feature. */
export { MutationBlock } from './mutation-block.tsx';
