/** Link previews in chats and on other sites: Open Graph and Twitter cards. */

/**
 * Determines the path of the site, and its URL if it is known.
 * @param {string | undefined} base @param {string | undefined} url
 * @returns {{ base: string, site: string | undefined }}
 */
export function placeOf(base, url) {
  if (base !== undefined && !/^\/(?:[\w.-]+\/)*$/.test(base))
    throw new Error(`--base: expected a path such as /warpool/, found "${base}"`);
  if (url === undefined || url === '') return { base: base ?? '/', site: undefined };
  if (!/^https?:\/\/[^/?#\s]+\/(?:[\w.-]+\/)*$/.test(url))
    throw new Error(`--url: expected an address such as https://example.org/warpool/, found "${url}"`);
  const path = new URL(url).pathname;
  if (base !== undefined && base !== path)
    throw new Error(`--base: expected the path of --url, ${path}, found "${base}"`);
  return { base: path, site: url };
}

/** Size of the images, in pixels. */
const [WIDTH, HEIGHT] = [1200, 630];

/**
 * Creates the URL of a file, as chats require; without the URL of the site, the path relative to the page.
 * @param {string} file path from the root of the site @param {string} page linking page, from the root of the site
 * @param {string | undefined} site URL of the site, with a trailing slash
 */
function addressOf(file, page, site) {
  return site === undefined ? '../'.repeat(page.split('/').length - 1) + file : new URL(file, site).href;
}

/**
 * Creates the tags of a page.
 * @param {{ page: string, title: string, description: string, image: string, alt: string }} about
 * @param {string | undefined} site URL of the site
 * @returns {[string, Record<string, string>][]}
 */
export function cardTags({ page, title, description, image, alt }, site) {
  const properties = {
    'og:type': 'website',
    'og:site_name': 'warpool',
    'og:title': title,
    'og:description': description,
    ...(site !== undefined && { 'og:url': addressOf(page.replace(/(?:^|(?<=\/))index\.html$/, ''), page, site) }),
    'og:image': addressOf(image, page, site),
    'og:image:type': 'image/png',
    'og:image:width': String(WIDTH),
    'og:image:height': String(HEIGHT),
    'og:image:alt': alt,
  };
  return [
    ...Object.entries(properties).map(
      ([property, content]) => /** @type {[string, Record<string, string>]} */ (['meta', { property, content }]),
    ),
    ['meta', { name: 'twitter:card', content: 'summary_large_image' }],
  ];
}
