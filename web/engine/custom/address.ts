/** Where warpool/system lies as one file, and what imports add to the hash of a module; only builds of the page know it. */
export { lines, url } from 'virtual:system';
