/** Where warpool/system lies as one file; only builds of the page know it. */
export { url } from 'virtual:system';
