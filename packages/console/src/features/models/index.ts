/** The exports of this feature for other features. */
export { useOfferedModels } from './data/offered-models.ts';
export { ModelField } from './model-field.tsx';
