/** VitePress' own theme without its font, which shows text in the font of the reader's system; with a home of our own. */
import theme from 'vitepress/theme-without-fonts';
import { h } from 'vue';
import FrontPage from './front-page.vue';
import './style.css';

export default {
  extends: theme,
  Layout: () => h(theme.Layout, null, { 'home-hero-before': () => h(FrontPage) }),
};
