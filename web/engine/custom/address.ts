/**
 * Address of warpool/system as one file, and what imports add to the hash of a module; provided by the build of the
 * page.
 */
export { lines, url } from 'virtual:system';
