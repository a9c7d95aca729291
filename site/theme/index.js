/** VitePress' own theme without its font: text is shown in the font of the reader's system. */
import theme from 'vitepress/theme-without-fonts';
import './style.css';

export default theme;
