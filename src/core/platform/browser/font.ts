/** Widths of common characters in DejaVu Sans, in units of the font. */

/** Code points first..last with known widths: Latin, Greek, Cyrillic, dashes, quotes, arrows. */
const RANGES: readonly (readonly [first: number, last: number])[] = [
  [0x20, 0x7e],
  [0xa0, 0x17f],
  [0x370, 0x3ff],
  [0x400, 0x45f],
  [0x2010, 0x2026],
  [0x2190, 0x2193],
  [0x2264, 0x2265],
];

/** Units of the font in an em. */
const EM = 2048;

const DIGITS = '0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ-_';

/** Concatenated, two digits each; a test compares them with the font. */
const PLAIN = [
  'abcReKqQknuqoZ8Pcvcvg0qQabbzabaOknknknknknknknknknknaOaOqQqQqQg_w0lVlZmmoFkeiqoPo49s9sk_hRrDnYpcjjpcmfkkjznrlV',
  'vFlXjzlXcvaOcvqQg0g0jDkkhCkkjIbhkkki8V8Viy8VvbkijBkkkkdagHczkiiYqbiYiYgPknaOknqQabcRknknknknaOg0g0w0f5jBqQbzw0',
  'g0g0qQcRcRg0knknabg0cRf5jBv1v1v1g_lVlVlVlVlVlVvbmmkekekeke9s9s9s9soPnYpcpcpcpcpcqQpcnrnrnrnrjzjnkajDjDjDjDjDjD',
  'vrhCjIjIjIjI8V8V8V8VjBkijBjBjBjBjBqQjBkikikikiiYkkiYlVjDlVjDlVjDmmhCmmhCmmhCmmhCoFkkoPkkkejIkejIkejIkejIkejIoP',
  'kkoPkkoPkkoPkko4kitkmf9s8V9s8V9s8V9s8V9s8ViUhO9s8Vk_iyiyhR8VhR8VhRc0hRaYh_96nYkinYkinYkiq2nYkipcjBpcjBpcjByfwL',
  'mfdamfdamfdakkgHkkgHkkgHkkgHjzczjzczjzcznrkinrkinrkinrkinrkinrkivFqbjziYjzlXgPlXgPlXgPbhkYibrBkK8W8WnYkPjdjdg0',
  'hBhChBaO9sjdjdjdjdg0g0maabnUrUd4jdq0jdqpqraRlVlZhRlVkelXo4pc9sk_lVrDnYkepco4jjjdkejzjzpclXpcot9sjzl6hjkiaRixl6',
  'kriYjBhjhqkijBaRiTiYknhUhSjBjhkkiOkijhixl7ivl7qPaRixjBixqPk_jGjQmnqZmnl7qPlfpcjBkMiOiqeHl7l7rIk5tUqPohl6pljHl-',
  'jroAk0mojBjzhalfkkhC8VpcjIjIjnkkmmrDkRkkmwmmmwkekepajxmmkk9s9s9sz0xspamKnYjwo4lVlZlZjxp0keyukxnYnYmKo4rDo4pco4',
  'jjmmjzjwrzlXoSlYyez0qFsflZmmyzmfjDjLiTgQm8jIsRh1kPkPjlkto9kXjBkXkkhCiFiYrniYlOiWtiu9mDphiThAqYjgjIjIk0gQhAgH8V',
  '8V8VsUsMkTjlkPiYkXbzbzkng0w0w0g0g0ababababgBgBgBgBg0g0iUiUaJlnw0qQqQqQqQqQqQ',
].join('');

const BOLD = [
  'b9eCgHqQmhw4rW9PeEeEgLqQcadicabImhmhmhmhmhmhmhmhmhmhcPcPqQqQqQiAw0oNopnvqAlTlTqhqObWbWoPkpvSqOrdntrdoFn3lRp_oN',
  'zjoHnbndeEbIeEqQg0g0lCmWi-mWlJdXmWmOa-a-lia-xmmOl_mWmWfOj3fjmOkTtAkFkTiEmObImOqQb9eCmhmhknmhbIg0g0w0i3kHqQdiw0',
  'g0g0qQe1e1g0nzkncag0e1i3kHx8x8x8iAoNoNoNoNoNoNyKnvlTlTlTlTbWbWbWbWqQqOrdrdrdrdrdqQrdp_p_p_p_nbnDn1lClClClClClC',
  'xyi-lJlJlJlJa-a-a-a-l_mOl_l_l_l_l_qQl_mOmOmOmOkTmWkToNlCoNlCoNlCnvi-nvi-nvi-nvi-qAmWqQmWlTlJlTlJlTlJlTlJlTlJqh',
  'mWqhmWqhmWqhmWqOmOvapibWa-bWa-bWa-bWa-bWa-nQlYbWa-oPlilikpa-kpa-kpfmkphQkzbUqOmOqOmOqOmOvtqOmOrdl_rdl_rdl_Bmz1',
  'oFfOoFfOoFfOn3j3n3j3n3j3n3j3lRfjlRfjlRfjp_mOp_mOp_mOp_mOp_mOp_mOzjtAnbkTnbndiEndiEndiEdXmli5wJqM9G9GqOmrjdjdg0',
  'i-hChBcPbWjdjdjdjde8g0pxcar4wii2jdswjdvnsDcuoNopkpoNlTndqOrdbWoPoNvSqOkerdqOntjdlTlRnbrdoHrcrdbWnbl_hQmOculDl_',
  'mWlPl_hQiWmOl_cumLkgnzlPiWl_pkmWi-oXkrlDp2kFpqrQculDl_lDrQoPkRl9nUvqnUpvrQnPrdl_nvi-lTfPmul7tqk4y-qPqEmWtInPnu',
  'kQpfluo4mWlRiUnPmWi-a-rdkEkDnDmWnvvSnrmWmmnvmmlTlTs7kpnvn3bWbWbWAYAas7qaqOoHqOoNopopkpswlTDbmLqOqOqaqBvSqOrdqO',
  'ntnvlRoHvLoHtIpTDyGru4xaopnvBAoFlCmmkggKpSlJvSiCmrmrlKnsqam7l_m7mWi-izkTvMkFnKl-x_zoo3sYkfi-v7kzlJlJmSgKi-j3a-',
  'a-a-vKuCnwlKmrkTm7didimhg0w0w0g0g0cacacacal2l2l2l2g0g0ktktaGlmw0qQqQqQqQqQqQ',
].join('');

/** Width of the box for missing characters, close to the width of others. */
const MISSING_GLYPH_WIDTH = 1229 / EM;

/** Finds the index of the width of a character; undefined for others. */
function findWidthIndex(code: number): number | undefined {
  let before = 0;
  for (const [first, last] of RANGES) {
    if (code >= first && code <= last) return before + code - first;
    before += last - first + 1;
  }
  return undefined;
}

/** Returns the width of a character by its code point, in ems. */
export function getCharacterWidth(code: number, bold: boolean): number {
  const place = findWidthIndex(code);
  if (place === undefined) return MISSING_GLYPH_WIDTH;
  const digits = (bold ? BOLD : PLAIN).slice(2 * place, 2 * place + 2);
  return Array.from(digits).reduce((sum, digit) => 64 * sum + DIGITS.indexOf(digit), 0) / EM;
}
