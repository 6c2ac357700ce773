export { MutationBlock } from './mutation-block.tsx';
