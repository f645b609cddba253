"""Bytes become the text that their author wrote, whatever their label says."""

import pytest

from safefetch_cli.content.decode import decode

RUSSIAN = "Расписание гавани публикуется каждое утро до первого парома."
FRENCH = "Le bureau du port publie son horaire dès l’aube ; « à bientôt » coûte 5 €."
GERMAN = "Das Hafenbüro veröffentlicht jeden Morgen seinen Fahrplan; größere Schiffe."
POLISH = "Urząd portowy ogłasza rozkład jazdy każdego ranka; załoga wraca, żółć, źdźbło."
CZECH = "Přístavní úřad zveřejňuje jízdní řád každé ráno, žluťoučký kůň, ďábel."
GREEK = "Το λιμεναρχείο δημοσιεύει το δρομολόγιό του κάθε πρωί."
TURKISH = "Liman ofisi her sabah ilk feribot kalkmadan önce tarifesini yayınlar, şişli, ığdır."
HEBREW = "משרד הנמל מפרסם את לוח הזמנים שלו בכל בוקר לפני שהמעבורת יוצאת."
ARABIC = "ينشر مكتب الميناء جدوله الزمني كل صباح قبل مغادرة العبارة الأولى."
THAI = "สำนักงานท่าเรือเผยแพร่ตารางเวลาทุกเช้าก่อนที่เรือเฟอร์รี่ลำแรกจะออก"
UKRAINIAN = "Портове управління публікує розклад щоранку. Її ґанок."
JAPANESE = "港湾事務所は毎朝最初のフェリーが出る前に時刻表を発表します。"
CHINESE = "港务局每天早上在第一班渡轮出发之前公布时间表。"
TAIWANESE = "港務局每天早上在第一班渡輪出發之前公佈時間表。"
KOREAN = "항구 사무소는 매일 아침 첫 페리가 떠나기 전에 시간표를 발표합니다."

LEGACY = [
    (RUSSIAN, "windows-1251", "windows-1251"),
    (RUSSIAN, "koi8-r", "koi8-r"),
    (RUSSIAN, "iso8859-5", "iso-8859-5"),
    (RUSSIAN, "cp866", "ibm866"),
    (UKRAINIAN, "koi8-u", "koi8-u"),
    (FRENCH, "cp1252", "windows-1252"),
    (GERMAN, "cp1252", "windows-1252"),
    (POLISH, "cp1250", "windows-1250"),
    (POLISH, "iso8859-2", "iso-8859-2"),
    (CZECH, "cp1250", "windows-1250"),
    (GREEK, "cp1253", "windows-1253"),
    (TURKISH, "cp1254", "windows-1254"),
    (HEBREW, "cp1255", "windows-1255"),
    (ARABIC, "cp1256", "windows-1256"),
    (THAI, "cp874", "windows-874"),
    (JAPANESE, "cp932", "shift_jis"),
    (JAPANESE, "euc_jp", "euc-jp"),
    (JAPANESE, "iso2022_jp", "iso-2022-jp"),
    (CHINESE, "gb18030", "gbk"),
    (TAIWANESE, "big5hkscs", "big5"),
    (KOREAN, "cp949", "euc-kr"),
]
LEGACY_IDS = [f"{label}-{number}" for number, (_, _, label) in enumerate(LEGACY)]


def page(text: str, head: str = "") -> str:
    return (
        f"<!doctype html><html><head>{head}<title>{text}</title></head><body><p>{text}</p></body>"
    )


@pytest.mark.parametrize(("text", "codec", "label"), LEGACY, ids=LEGACY_IDS)
def test_a_header_names_the_encoding(text, codec, label):
    data = page(text).encode(codec, "ignore")

    decoded = decode(data, label)

    assert (decoded.text, decoded.charset, decoded.source) == (data.decode(codec), label, "header")


@pytest.mark.parametrize(("text", "codec", "label"), LEGACY, ids=LEGACY_IDS)
def test_a_meta_element_names_the_encoding(text, codec, label):
    data = page(text, f'<meta charset="{label}">').encode(codec, "ignore")

    decoded = decode(data)

    assert (decoded.text, decoded.charset) == (data.decode(codec), label)
    assert decoded.source == "declaration"


@pytest.mark.parametrize(("text", "codec", "label"), LEGACY, ids=LEGACY_IDS)
def test_what_names_no_encoding_is_detected(text, codec, label):
    data = page(text).encode(codec, "ignore")

    decoded = decode(data)

    assert (decoded.text, decoded.source) == (data.decode(codec), "detection")


@pytest.mark.parametrize(
    "mark_and_codec",
    [("utf-8-sig", "utf-8"), ("utf-16-le", "utf-16le"), ("utf-16-be", "utf-16be")],
    ids=lambda pair: pair[1],
)
def test_a_byte_order_mark_beats_header_and_meta(mark_and_codec):
    codec, name = mark_and_codec
    marked = ("" if codec == "utf-8-sig" else "\ufeff") + page(RUSSIAN, "<meta charset=koi8-r>")

    decoded = decode(marked.encode(codec), "windows-1251")

    assert decoded.text == page(RUSSIAN, "<meta charset=koi8-r>")
    assert (decoded.charset, decoded.source) == (name, "bom")


@pytest.mark.parametrize("codec", ["utf-16-le", "utf-16-be"])
@pytest.mark.parametrize("header", ["", "named"])
def test_utf_16_without_a_mark(codec, header):
    decoded = decode(page(FRENCH).encode(codec), codec.replace("16-", "16") if header else "")

    assert decoded.text == page(FRENCH)
    assert decoded.charset == codec.replace("16-", "16")


@pytest.mark.parametrize(
    ("head", "label"),
    [
        ("<meta charset=windows-1251>", "windows-1251"),
        ("<META CHARSET='windows-1251'>", "windows-1251"),
        ('<meta charSet="windows-1251"/>', "windows-1251"),
        (
            '<meta http-equiv="Content-Type" content="text/html; charset=windows-1251">',
            "windows-1251",
        ),
        (
            "<meta content='text/html; charset=windows-1251' http-equiv=content-type>",
            "windows-1251",
        ),
        ('<meta charst="koi8-r"><meta charset="windows-1251">', "windows-1251"),
        ('<meta charset="no-such"><meta charset="windows-1251">', "windows-1251"),
        ("<!-- <meta charset=koi8-r> --><meta charset=windows-1251>", "windows-1251"),
        ('<meta name=description content="charset=koi8-r"><meta charset=cp1251>', "windows-1251"),
        ("<script>" + "x" * 3500 + "</script><meta charset=windows-1251>", "windows-1251"),
    ],
    ids=range(10),
)
def test_ways_to_declare(head, label):
    decoded = decode(page(RUSSIAN, head).encode("windows-1251"))

    assert (decoded.text, decoded.charset) == (page(RUSSIAN, head), label)
    assert decoded.source == "declaration"


def test_an_xml_declaration_names_the_encoding():
    text = f'<?xml version="1.0" encoding="koi8-r"?><note>{RUSSIAN}</note>'

    decoded = decode(text.encode("koi8-r"))

    assert (decoded.text, decoded.charset) == (text, "koi8-r")


def test_a_declaration_of_utf_16_in_ascii_means_utf_8():
    data = page(FRENCH, "<meta charset=utf-16>").encode()

    assert decode(data).charset == "utf-8"


@pytest.mark.parametrize("label", ["iso-8859-1", "windows-1251", "koi8-r", "shift_jis", "gbk"])
def test_utf_8_under_another_label_stays_utf_8(label):
    decoded = decode(page(RUSSIAN).encode(), label)

    assert (decoded.text, decoded.charset, decoded.source) == (page(RUSSIAN), "utf-8", "utf-8")


def test_two_valid_bytes_do_not_overrule_an_east_asian_label():
    data = "联通".encode("gbk") + "测试".encode("gbk")

    assert decode(data, "gbk").text == "联通测试"


def test_a_header_that_does_not_fit_gives_way_to_the_declaration():
    data = page(RUSSIAN, "<meta charset=windows-1251>").encode("windows-1251")

    decoded = decode(data, "utf-8")

    assert (decoded.text, decoded.source) == (data.decode("windows-1251"), "declaration")


def test_a_header_that_does_not_fit_gives_way_to_detection():
    data = page(RUSSIAN).encode("windows-1251")

    assert decode(data, "utf-8").text == page(RUSSIAN)


def test_one_bad_byte_does_not_change_the_encoding():
    data = page(RUSSIAN).encode() + b"\xff"

    decoded = decode(data, "utf-8")

    assert (decoded.text, decoded.charset) == (page(RUSSIAN) + "\ufffd", "utf-8")


def test_a_body_cut_inside_a_character_keeps_the_rest():
    data = page(RUSSIAN).encode()[:-8] + "я".encode()[:1]

    decoded = decode(data)

    assert decoded.charset == "utf-8"
    assert decoded.text.startswith(page(RUSSIAN)[:80])


@pytest.mark.parametrize(
    "label", ["utf-7", "rot13", "base64", "iso-2022-kr", "hz-gb-2312", "x" * 99]
)
def test_labels_that_the_web_does_not_know_are_no_labels(label):
    decoded = decode(b"<p>+ADw-b+AD4- plain", label)

    assert (decoded.text, decoded.charset) == ("<p>+ADw-b+AD4- plain", "utf-8")


def test_latin_1_means_windows_1252():
    assert decode(b"\x93quoted\x94 \x80 5", "latin1").text == "“quoted” € 5"


@pytest.mark.parametrize(
    "data", [b"", b"\x00", b"\xff\xfe", b"\xef\xbb\xbf", b"\x80" * 9, bytes(range(256))]
)
def test_any_bytes_give_text(data):
    text = decode(data).text

    text.encode()  # no lone surrogate
