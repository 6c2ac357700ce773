export { useOfferedModels } from './data/offered-models.ts';
export { ModelField } from './model-field.tsx';
