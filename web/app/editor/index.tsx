/** The editor of the scenario. */
export { PlainEditor as Editor } from './plain.tsx';
