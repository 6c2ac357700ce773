/** The exports of this feature for other features. */
export { MutationBlock } from './mutation-block.tsx';
